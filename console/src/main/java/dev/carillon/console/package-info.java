/**
 * The console: one page that shows what the API answers. The package holds its files and says how a
 * server answers requests for them; it uses nothing but the JDK.
 */
@NullMarked
package dev.carillon.console;

import org.jspecify.annotations.NullMarked;
