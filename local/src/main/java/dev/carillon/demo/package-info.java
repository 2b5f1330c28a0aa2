/** A minute of everything, to be watched. */
@NullMarked
package dev.carillon.demo;

import org.jspecify.annotations.NullMarked;
