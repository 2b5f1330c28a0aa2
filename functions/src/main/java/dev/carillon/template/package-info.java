/**
 * The grammar of templates: variables in texts and JSON values, their valid names, and rendering
 * them with values. Pure: uses {@code document}; {@code launch} provides the values.
 */
@NullMarked
package dev.carillon.template;

import org.jspecify.annotations.NullMarked;
