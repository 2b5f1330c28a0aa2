package dev.carillon.document;

/**
 * One thing that is wrong with what a user sent.
 *
 * @param pointer where, as a JSON pointer (RFC 6901) into the document; empty for the whole
 * @param detail what is wrong, with the value and the remedy, in one sentence
 */
public record Fault(String pointer, String detail) {}
