/**
 * The grammar of templates: variables in texts and JSON values, which names they may have, and
 * filling them with values. Pure: uses {@code document}; the values come from {@code launch}.
 */
@NullMarked
package dev.carillon.template;

import org.jspecify.annotations.NullMarked;
