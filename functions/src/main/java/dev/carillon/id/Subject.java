package dev.carillon.id;

/** What a check can look at: a job, or a gate at which jobs wait. Its text identifies it. */
public interface Subject {}
