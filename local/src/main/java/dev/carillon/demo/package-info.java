/**
 * A one-minute demonstration. It uses the local engine, its HTTP API, and the libraries for clients
 * and workers; only the command line uses this package.
 */
@NullMarked
package dev.carillon.demo;

import org.jspecify.annotations.NullMarked;
