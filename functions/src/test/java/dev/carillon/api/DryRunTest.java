package dev.carillon.api;

import static dev.carillon.api.Docs.DAILY;
import static dev.carillon.api.Docs.MINUTELY;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.carillon.api.Caller.Reply;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** {@code PUT …/schedules/{name}?dryRun=true} answers as the store would, and stores nothing. */
class DryRunTest {

  private static final String DRY = Caller.SCHEDULES + "/a?dryRun=true";

  private final Caller caller = new Caller();

  private Reply dry(String document) {
    return caller.send("PUT", DRY, document, Map.of());
  }

  @Test
  void aCreationIsShownAndNotStored() {
    JsonNode shown = dry(Docs.active(DAILY)).is(201).json();

    caller.schedule("a").is(404);
    JsonNode stored = caller.put("a", Docs.active(DAILY)).is(201).json();
    assertThat(shown.path("schedule")).isEqualTo(stored.path("schedule"));
    assertThat(shown.path("state").asText()).isEqualTo("ACTIVE");
    assertThat(shown.path("nextFire")).isEqualTo(stored.path("nextFire"));
  }

  @Test
  void aReplacementIsShownAndLeavesTheStoredSchedule() {
    Reply before = caller.put("a", Docs.active(DAILY));
    String other = Docs.active(MINUTELY).replaceFirst("(\"queue\": *\")[^\"]*", "$1other");
    JsonNode shown = dry(other).is(200).json();

    assertThat(shown.path("generation").asLong()).isEqualTo(2);
    assertThat(shown.path("schedule")).isNotEqualTo(before.json().path("schedule"));
    assertThat(caller.schedule("a").etag()).isEqualTo(before.etag());
    assertThat(caller.world.targets.prepared()).hasSize(1);
  }

  @Test
  void anEqualDocumentIsShownAsItIsStored() {
    Reply stored = caller.put("a", Docs.active(DAILY));
    assertThat(dry(Docs.active(DAILY)).is(200).json()).isEqualTo(caller.schedule("a").json());
    assertThat(dry(Docs.active(DAILY)).etag()).isEqualTo(stored.etag());
  }

  @Test
  void itRefusesWhatTheStoreRefuses() {
    dry("{}").is(400);
    caller.send("PUT", DRY.replace("true", "maybe"), Docs.of(DAILY), Map.of()).is(400);
    caller.send("PUT", DRY, Docs.of(DAILY), Map.of("If-Match", "*")).is(412);
    caller.put("a", Docs.of(DAILY));
    caller.send("PUT", DRY, Docs.of(DAILY), Map.of("If-None-Match", "*")).is(412);
  }
}
