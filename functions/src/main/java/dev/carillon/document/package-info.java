/**
 * JSON documents, as callers send them and as Carillon stores them: reads their fields, collects
 * all faults of a document, and limits texts and messages. Pure: uses Jackson and nothing of
 * Carillon.
 */
@NullMarked
package dev.carillon.document;

import org.jspecify.annotations.NullMarked;
