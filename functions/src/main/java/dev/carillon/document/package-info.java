/**
 * JSON documents as callers send them and as they are stored: reading their fields, collecting
 * every fault of one document, and the limits of texts and messages. Pure: uses Jackson and nothing
 * of Carillon.
 */
@NullMarked
package dev.carillon.document;

import org.jspecify.annotations.NullMarked;
