/**
 * Stores entries in a deployment. It uses the client library and the format of exports, but no
 * importer.
 */
@NullMarked
package dev.carillon.imports.store;

import org.jspecify.annotations.NullMarked;
