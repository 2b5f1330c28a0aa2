package dev.carillon.campaign.system;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.carillon.campaign.engine.FaultKind;
import dev.carillon.campaign.engine.FaultPlan;
import dev.carillon.campaign.engine.SeededRandom;
import dev.carillon.check.CheckJson;
import dev.carillon.document.Json;
import org.jspecify.annotations.Nullable;

/**
 * A newer version of the functions. While faults are injected, it is being deployed beside the
 * present version. After that, the deployment has ended, and all functions are of the newer
 * version. It sends the same messages as the present version, with further members. It writes some
 * subjects of checks, and some whole checks, in forms that only it knows.
 */
public final class Versions {

  private static final String MEMBER = "sentBy";
  private static final String SUBJECT = "newer:";
  private static final String MESSAGE = "plan";

  private final @Nullable SeededRandom random;
  private final FaultPlan faults;

  /**
   * @param random draws what is of the newer version; null if there is no newer version
   */
  public Versions(@Nullable SeededRandom random, FaultPlan faults) {
    this.random = random;
    this.faults = faults;
  }

  /** A check in the form in which a function of either version sends it. */
  public String check(String body) {
    if (random == null || random.oneIn(3)) {
      return body;
    }
    ObjectNode message = withMember(body);
    ArrayNode subjects = Json.object().putArray("wake");
    for (JsonNode subject : message.path("wake")) {
      if (random.oneIn(4)) {
        addNewer(subjects, subject.asText(), random);
      } else {
        subjects.add(subject);
      }
    }
    message.set("wake", subjects);
    return Json.write(random.oneIn(8) ? Json.object().set(MESSAGE, message) : message);
  }

  private static void addNewer(ArrayNode subjects, String subject, SeededRandom random) {
    if (random.oneIn(2)) {
      subjects.add(SUBJECT + subject);
    } else {
      subjects.addObject().put("of", subject);
    }
  }

  private static ObjectNode withMember(String body) {
    ObjectNode message = Json.readObject(body);
    message.putObject(MEMBER).put("version", 2);
    return message;
  }

  /**
   * An event, or the remaining work on an event, in the form in which a function of either version
   * sends it.
   */
  public String event(String body) {
    if (random == null || random.oneIn(3)) {
      return body;
    }
    ObjectNode message = withMember(body);
    for (JsonNode content : message) {
      if (content instanceof ObjectNode work && work.has("event")) {
        work.put(MEMBER, 2);
      }
    }
    return Json.write(message);
  }

  /** Draws whether an invocation is of the newer version. */
  public boolean isNewer() {
    return random != null && (faults.hasEnded() || random.oneIn(2));
  }

  /**
   * A check in the form in which the function reads it. A function of the newer version knows every
   * form.
   *
   * @param isNewer whether the function is of the newer version
   */
  public String received(String body, boolean isNewer) {
    if (random == null) {
      return body;
    }
    String known = known(body);
    if (!isNewer && !known.equals(body)) {
      faults.count(FaultKind.UNKNOWN_CHECK);
    }
    return isNewer ? known : body;
  }

  /** A check of either version in the forms that the present version knows. */
  public String known(String body) {
    if (random == null) {
      return body;
    }
    ObjectNode message = Json.readObject(body);
    if (message.path(MESSAGE).isObject()) {
      return known(Json.write(message.get(MESSAGE)));
    }
    if (CheckJson.read(body).unknown() == null) {
      return body;
    }
    ArrayNode subjects = Json.object().putArray("wake");
    for (JsonNode subject : message.path("wake")) {
      String text = subject.path("of").asText(subject.asText());
      subjects.add(text.startsWith(SUBJECT) ? text.substring(SUBJECT.length()) : text);
    }
    message.set("wake", subjects);
    return Json.write(message);
  }
}
