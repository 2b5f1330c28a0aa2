package dev.carillon.dynamodb;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.carillon.document.Json;
import dev.carillon.gate.Passage;
import dev.carillon.id.GateKey;
import dev.carillon.id.JobId;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/** What a job has to do with gates, as text; the namespace is the job's. */
final class PassageText {

  private static final String GATES = "g";
  private static final String SLOTTED = "s";
  private static final String AT = "t";
  private static final String WAITS_AT = "w";
  private static final String ENDED_BY = "e";

  private PassageText() {}

  static String write(Passage passage) {
    ObjectNode text = Json.object();
    if (!passage.gates().isEmpty()) {
      passage.gates().forEach(gate -> text.withArray(GATES).add(local(gate)));
    }
    if (passage.slotted()) {
      text.put(SLOTTED, 1);
    }
    if (passage.at() != null) {
      text.put(AT, passage.at().toEpochMilli());
    }
    if (passage.waitsAt() != null) {
      text.put(WAITS_AT, local(passage.waitsAt()));
    }
    if (passage.endedBy() != null) {
      text.put(ENDED_BY, passage.endedBy());
    }
    return Json.write(text);
  }

  /** {@code program:NAME} or {@code group:NAME}. */
  private static String local(GateKey gate) {
    return gate.toString().substring(gate.namespace().length() + 1);
  }

  static Passage read(String text, JobId job) {
    JsonNode read = Json.readObject(text);
    List<GateKey> gates = new ArrayList<>();
    read.path(GATES).forEach(gate -> gates.add(gate(gate.textValue(), job)));
    return new Passage(
        List.copyOf(gates),
        read.path(SLOTTED).asInt() == 1,
        read.has(AT) ? Instant.ofEpochMilli(read.path(AT).longValue()) : null,
        read.has(WAITS_AT) ? gate(read.path(WAITS_AT).textValue(), job) : null,
        read.has(ENDED_BY) ? (Long) read.path(ENDED_BY).longValue() : null);
  }

  private static GateKey gate(String local, JobId job) {
    return GateKey.parse(job.schedule().namespace() + "#" + local);
  }
}
