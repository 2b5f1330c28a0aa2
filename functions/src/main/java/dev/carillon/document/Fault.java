package dev.carillon.document;

/**
 * One fault of a submitted document.
 *
 * @param pointer the JSON pointer (RFC 6901) of the faulty value; empty for the whole document
 * @param detail the fault, the value and the remedy, in one sentence
 */
public record Fault(String pointer, String detail) {}
