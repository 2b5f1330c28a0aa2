package dev.carillon.cli.command;

import dev.carillon.cli.output.Table;

/** A job that a caller has changed. */
record Changed(String jobId, String state) {

  static final Table<Changed> TABLE =
      Table.of("JOB", Changed::jobId).state("STATE", Changed::state);
}
