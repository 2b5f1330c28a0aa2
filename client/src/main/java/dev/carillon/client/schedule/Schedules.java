package dev.carillon.client.schedule;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.carillon.client.schedule.Constraint.OnUnmet;
import dev.carillon.client.schedule.Policies.AfterCompletion;
import dev.carillon.client.schedule.Policies.CatchUp;
import dev.carillon.client.schedule.Policies.Operation;
import dev.carillon.client.schedule.Policies.Retry;
import dev.carillon.client.schedule.Policies.State;
import dev.carillon.client.schedule.Policies.Timeout;
import dev.carillon.client.schedule.Policies.Tracking;
import dev.carillon.client.schedule.Policies.WhilePending;
import java.time.Duration;
import java.time.ZoneId;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Builds schedules in the style of the CDAP scheduler's design.
 *
 * <p>Each setter of a constraint replaces an earlier constraint of that kind; {@link
 * Builder#addConstraint} adds a constraint of any kind. Values that are not set appear in the
 * document with their defaults. Two defaults are left to the server: the zone (that of the
 * deployment) and the state (SUSPENDED for a new schedule, unchanged for an existing one).
 */
public final class Schedules {

  private static final int LAST_HOUR = 24;

  private Schedules() {}

  /**
   * @param name 1 to 64 letters, digits, {@code .}, {@code _} or {@code -}
   */
  public static Builder builder(String name) {
    return new Builder(name, defaults(name));
  }

  private static ObjectNode defaults(String name) {
    ObjectNode document = Json.object().put("description", "").putNull("app").put("program", name);
    document.putObject("tags");
    document.putNull("customer").put("priority", 5);
    document.putObject("properties");
    document.putArray("constraints");
    for (String none : List.of("timeout", "pool", "operations", "tracking", "retry", "onEnd")) {
      document.putNull(none);
    }
    document.set("whilePending", Json.tree(WhilePending.QUEUE));
    document.set("catchUp", Json.tree(new CatchUp(CatchUp.Policy.ALL, null)));
    return document.set("afterCompletion", Json.tree(AfterCompletion.KEEP));
  }

  /** A builder of one schedule. */
  public static final class Builder {

    private final String name;
    private final ObjectNode document;

    Builder(String name, ObjectNode document) {
      this.name = name;
      this.document = document;
    }

    public Builder setDescription(String description) {
      return set("description", description);
    }

    /**
     * Sets the program that the schedule launches; by default, the program with the schedule's
     * name.
     */
    public Builder setProgram(String program) {
      return set("program", program);
    }

    /** Sets the app that the schedule belongs to. */
    public Builder setApp(String app) {
      return set("app", app);
    }

    public Builder setTags(Map<String, String> tags) {
      return set("tags", new TreeMap<>(tags));
    }

    /**
     * @param customer the customer of the jobs; may contain variables
     */
    public Builder setCustomer(String customer) {
      return set("customer", customer);
    }

    /** Sets the zone of the schedule's times; by default, the zone of the deployment. */
    public Builder setZone(ZoneId zone) {
      return set("zone", zone);
    }

    /**
     * @param max the limit on unfinished attempts of the program, at least 1
     */
    public Builder setMaxConcurrentRuns(int max) {
      return constrain(Constraint.concurrency(max));
    }

    /**
     * @param delayMillis milliseconds after the trigger is satisfied
     */
    public Builder setDelayMillis(long delayMillis) {
      return constrain(Constraint.delay(Duration.ofMillis(delayMillis)));
    }

    /**
     * @param startHour 0 to 23, inclusive, of local time
     * @param endHour 0 to 24, exclusive; an hour below {@code startHour} is on the next day
     */
    public Builder setTimeRange(int startHour, int endHour) {
      return constrain(
          new Constraint.TimeWindow(
              hour(startHour, LAST_HOUR - 1),
              hour(endHour, LAST_HOUR),
              null,
              Set.of(),
              OnUnmet.WAIT));
    }

    private static String hour(int hour, int last) {
      if (hour < 0 || hour > last) {
        throw new IllegalArgumentException("hour is " + hour + "; it must be 0 to " + last);
      }
      return "%02d:00".formatted(hour);
    }

    /**
     * @param delayMillis milliseconds since the end of the program's last successful run
     */
    public Builder setDurationSinceLastRun(long delayMillis) {
      return constrain(Constraint.sinceLastRun(Duration.ofMillis(delayMillis)));
    }

    /** Adds a constraint, even if a constraint of its kind is already set. */
    public Builder addConstraint(Constraint constraint) {
      constraints().add(Json.tree(constraint));
      return this;
    }

    private Builder constrain(Constraint constraint) {
      JsonNode written = Json.tree(constraint);
      ArrayNode all = constraints();
      for (int i = 0; i < all.size(); i++) {
        if (all.get(i).path("type").equals(written.path("type"))) {
          all.set(i, written);
          return this;
        }
      }
      all.add(written);
      return this;
    }

    private ArrayNode constraints() {
      return document.path("constraints") instanceof ArrayNode all
          ? all
          : document.putArray("constraints");
    }

    /**
     * @param properties the properties that launch requests can use as <code>${properties.NAME}
     *     </code>
     */
    public Builder setProperties(Map<String, ?> properties) {
      return set("properties", properties);
    }

    public Builder setTarget(Target target) {
      return set("target", target);
    }

    /**
     * @param timeout null for none
     */
    public Builder setTimeout(@Nullable Timeout timeout) {
      return set("timeout", timeout);
    }

    /**
     * @param pool null for none
     */
    public Builder setPool(@Nullable String pool) {
      return set("pool", pool);
    }

    /**
     * @param priority 0, the most urgent, to 9
     */
    public Builder setPriority(int priority) {
      return set("priority", priority);
    }

    /**
     * @param template a template that renders to a priority, like <code>${payload.priority}</code>
     */
    public Builder setPriority(String template) {
      return set("priority", template);
    }

    public Builder setOperations(List<Operation> operations) {
      return set("operations", operations);
    }

    public Builder setWhilePending(WhilePending whilePending) {
      return set("whilePending", whilePending);
    }

    public Builder setCatchUp(CatchUp catchUp) {
      return set("catchUp", catchUp);
    }

    /**
     * Tracks the runs. Failed runs are retried according to {@link #setRetry}, by default according
     * to {@link Retry#USUAL}.
     *
     * @param tracking null for runs without tracking
     */
    public Builder setTracking(@Nullable Tracking tracking) {
      boolean isRetried = document.path("retry").isObject();
      if ((tracking == null) == isRetried) {
        set("retry", tracking == null ? null : Retry.USUAL);
      }
      return set("tracking", tracking);
    }

    /** Sets how runs are retried. Only tracked runs can be retried. */
    public Builder setRetry(Retry retry) {
      return set("retry", retry);
    }

    /**
     * Sends a callback when a job ends.
     *
     * @param onEnd the queue and the content of the callback, whose template can also use <code>
     *     ${outcome}</code>, <code>${output}</code> and <code>${error}</code>; null for no callback
     */
    public Builder setOnEnd(@Nullable Target onEnd) {
      return set("onEnd", onEnd);
    }

    public Builder setAfterCompletion(AfterCompletion afterCompletion) {
      return set("afterCompletion", afterCompletion);
    }

    /**
     * Sets the state in which the schedule is stored; by default, a new schedule is SUSPENDED, and
     * an existing schedule keeps its state.
     */
    public Builder setState(State state) {
      return set("state", state);
    }

    public Schedule build(Trigger trigger) {
      return Schedule.of(name, set("trigger", trigger).document);
    }

    private Builder set(String field, @Nullable Object value) {
      document.set(field, value == null ? Json.object().nullNode() : Json.tree(value));
      return this;
    }
  }
}
