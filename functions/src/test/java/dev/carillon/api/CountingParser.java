package dev.carillon.api;

import com.fasterxml.jackson.databind.JsonNode;
import dev.carillon.id.ScheduleId;
import dev.carillon.schedule.Definition;
import dev.carillon.schedule.Schedule;
import dev.carillon.schedule.ScheduleParser;
import java.time.Instant;
import java.time.ZoneOffset;

/** Counts parsed documents, separately for requests and for the store. */
final class CountingParser extends ScheduleParser {

  private int sent;
  private int stored;

  CountingParser() {
    super(ZoneOffset.UTC);
  }

  /** The number of documents parsed since the last call. */
  record Parses(int sent, int stored) {}

  Parses parses() {
    Parses parses = new Parses(sent, stored);
    sent = 0;
    stored = 0;
    return parses;
  }

  @Override
  public Schedule parse(ScheduleId id, JsonNode document, Instant now) {
    sent++;
    return super.parse(id, document, now);
  }

  @Override
  public Schedule parseStored(Definition definition) {
    stored++;
    return super.parseStored(definition);
  }
}
