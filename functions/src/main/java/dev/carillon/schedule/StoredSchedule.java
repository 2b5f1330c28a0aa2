package dev.carillon.schedule;

/** A schedule as it is stored: its head and the definition of the head's generation. */
public record StoredSchedule(Head head, Definition definition) {}
