package dev.carillon.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.carillon.api.CountingParser.Parses;
import dev.carillon.schedule.Schedules;
import dev.carillon.system.World;
import java.lang.reflect.Proxy;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** The number of parses: once for a submitted document, at most once for a stored one. */
class ParsesTest {

  private static final String APP = "/v1/namespaces/default/apps/shop";

  private final Caller caller = new Caller();

  private Parses parses() {
    return caller.parser.parses();
  }

  @Test
  void aNewScheduleIsParsedOnce() {
    caller.put("cron", Docs.active(Docs.MINUTELY)).is(201);
    assertThat(parses()).isEqualTo(new Parses(1, 0));
    caller.put("data", Docs.active(Docs.partition("d", 1))).is(201);
    assertThat(parses()).isEqualTo(new Parses(1, 0));
  }

  @Test
  void aReplacementAndTheReplacedDocumentAreParsedOnce() {
    caller.put("a", Docs.active(Docs.MINUTELY)).is(201);
    parses();
    caller.put("a", Docs.active(Docs.MINUTELY)).is(200);
    assertThat(parses()).isEqualTo(new Parses(1, 1));
    caller.put("a", Docs.active(Docs.DAILY)).is(200);
    assertThat(parses()).isEqualTo(new Parses(1, 1));
    caller.put("a", Docs.active(Docs.partition("d", 1))).is(200);
    assertThat(parses()).isEqualTo(new Parses(1, 1));
  }

  @Test
  void suspendResumeReadAndDeleteParseTheDocumentOnce() {
    caller.put("a", Docs.active(Docs.partition("d", 1))).is(201);
    parses();
    caller.act("a", "suspend", "{\"mode\": \"backlog\"}").is(200);
    assertThat(parses()).isEqualTo(new Parses(0, 1));
    caller.act("a", "resume", "").is(200);
    assertThat(parses()).isEqualTo(new Parses(0, 1));
    caller.get("/v1/namespaces/default/schedules/a").is(200);
    assertThat(parses()).isEqualTo(new Parses(0, 1));
    caller.delete("a").is(204);
    assertThat(parses()).isEqualTo(new Parses(0, 1));
  }

  @Test
  void aDeploymentParsesEachDocumentOnce() {
    caller.send("PUT", APP, app("first"), Map.of()).is(201);
    assertThat(parses()).isEqualTo(new Parses(3, 0));
    caller.send("PUT", APP, app("second"), Map.of()).is(200);
    assertThat(parses().sent()).isEqualTo(3);
  }

  private static String app(String description) {
    String document =
        Docs.of(Docs.DAILY, ", \"program\": \"p\", \"description\": \"" + description + "\"");
    return "{\"programs\": [\"p\"], \"schedules\": {\"a\": %s, \"b\": %s, \"c\": %s}}"
        .formatted(document, document, document);
  }

  @Test
  void aLostRaceDoesNotParseTheDocumentAgain() {
    AtomicInteger saves = new AtomicInteger();
    Caller racing = new Caller(new World(Caller.NOW), real -> losingTheFirst(real, saves));
    racing.put("a", Docs.active(Docs.MINUTELY)).is(201);
    assertThat(saves).hasValue(2);
    assertThat(racing.parser.parses()).isEqualTo(new Parses(1, 0));
  }

  private static Schedules losingTheFirst(Schedules real, AtomicInteger saves) {
    return (Schedules)
        Proxy.newProxyInstance(
            Schedules.class.getClassLoader(),
            new Class<?>[] {Schedules.class},
            (proxy, method, arguments) ->
                method.getName().equals("save") && saves.incrementAndGet() == 1
                    ? false
                    : method.invoke(real, arguments));
  }
}
