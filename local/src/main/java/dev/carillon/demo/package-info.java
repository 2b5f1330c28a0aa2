/**
 * A one-minute demonstration. It uses the local engine and its HTTP API; only the command line uses
 * this package.
 */
@NullMarked
package dev.carillon.demo;

import org.jspecify.annotations.NullMarked;
