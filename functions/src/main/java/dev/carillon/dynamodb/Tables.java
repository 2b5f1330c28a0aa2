package dev.carillon.dynamodb;

/** The names of the tables. */
public record Tables(String schedules, String timers, String jobs, String gates, String status) {}
