/**
 * Expanding timers into the fires that are due soon, and deciding which missed fires are launched
 * late. Uses {@code timer}, {@code check} and {@code job}; shared by {@code master}, {@code
 * checker} and {@code api}.
 */
@NullMarked
package dev.carillon.fires;

import org.jspecify.annotations.NullMarked;
