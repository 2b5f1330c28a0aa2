/**
 * The names and keys of everything that is stored, and pages of listings. Pure: uses {@code
 * document} for the forms of names.
 */
@NullMarked
package dev.carillon.id;

import org.jspecify.annotations.NullMarked;
