package dev.carillon.pool;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.carillon.document.Bounds;
import dev.carillon.document.Fault;
import dev.carillon.document.Faults;
import dev.carillon.document.Fields;
import dev.carillon.document.InvalidDocument;
import dev.carillon.document.Json;
import dev.carillon.document.TextForm;
import dev.carillon.pool.Pool.Order;
import dev.carillon.trigger.EventPattern;
import dev.carillon.trigger.EventPatternReader;
import java.math.BigDecimal;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Parses pool documents and finds all their faults. */
public final class PoolReader {

  /** The largest {@code depth}: how many jobs a pool can keep in its queue. */
  static final int DEEPEST = 100_000;

  /** The most pools of a namespace with a pattern. */
  public static final int MOST_MATCHING = 100;

  /** The most customers with a weight of their own, and the most with a limit of their own. */
  static final int MOST_CUSTOMERS = 50;

  private static final int USUAL_DEPTH = 100;
  private static final int MOST_IN_FLIGHT = 10_000;
  private static final int WEIGHT_DIGITS = 4;
  private static final BigDecimal LARGEST_WEIGHT = BigDecimal.valueOf(1_000);
  private static final int LONGEST_CUSTOMER = 128;
  private static final TextForm QUEUE = TextForm.line(512);
  private static final TextForm REASON = TextForm.line(256);
  private static final TextForm DESCRIPTION =
      new TextForm(1_000, Pattern.compile("(?s).*"), "give a text of at most 1000 characters");
  private static final List<String> ORDERS = List.of("fair", "fifo");

  private final Faults faults = new Faults();

  /** The document as it is stored: with all members, and defaults for those that were not given. */
  private final ObjectNode written = Json.object();

  private final Fields fields;

  /**
   * Whether the document was stored. Its pattern was validated earlier, so it is compiled only when
   * it first matches.
   */
  private final boolean isStored;

  private PoolReader(JsonNode document, boolean isStored) {
    this.fields = Fields.of(document, "", faults);
    this.isStored = isStored;
  }

  /**
   * @throws InvalidDocument with every fault
   */
  public static Pool read(JsonNode document) {
    Fault whole = Fields.wholeAnswer(document, "pool");
    if (whole != null) {
      throw new InvalidDocument(List.of(whole));
    }
    PoolReader reader = new PoolReader(document, false);
    Bounds.checkSize(Json.write(document), "", reader.faults);
    Bounds.checkContent(document, "", reader.faults);
    return reader.faultless();
  }

  /**
   * Reads a stored document.
   *
   * @throws InvalidDocument if the document is damaged, or a newer version stored it
   */
  public static Pool stored(JsonNode document) {
    return new PoolReader(document, true).faultless();
  }

  private Pool faultless() {
    Pool read = read();
    if (!faults.none()) {
      throw new InvalidDocument(faults.found());
    }
    return read;
  }

  private Pool read() {
    fields.allowOnly(
        List.of(
            "description",
            "queue",
            "depth",
            "order",
            "weights",
            "maxInFlight",
            "match",
            "paused",
            "reason"));
    String description = fields.optionalText("description", DESCRIPTION);
    written.put("description", description == null ? "" : description);
    String queue = queue();
    int depth = depth(queue);
    String order = fields.choice("order", ORDERS, "fair");
    written.put("order", order);
    Map<String, Double> weights = weights();
    Map<String, Integer> limits = limits();
    EventPattern match =
        isStored
            ? EventPatternReader.stored(fields, "match")
            : EventPatternReader.read(fields, "match", faults);
    written.set("match", fields.has("match") ? fields.get("match") : null);
    String paused = paused();
    refuseSharesInFifo(order);
    return new Pool(
        queue,
        depth,
        order.equals("fifo") ? Order.FIFO : Order.FAIR,
        weights,
        limits,
        match,
        paused,
        written);
  }

  private void refuseSharesInFifo(String order) {
    for (String member : List.of("weights", "maxInFlight")) {
      if (order.equals("fifo") && !fields.object(member).names().isEmpty()) {
        fields.refuse(member, "\"fifo\" knows no customers; remove it, or choose \"fair\"");
      }
    }
  }

  private @Nullable String queue() {
    String queue = fields.optionalText("queue", QUEUE);
    if (queue != null && queue.contains("${")) {
      fields.refuse("queue", "a queue cannot contain variables; give the name of one queue");
    }
    written.put("queue", queue);
    return queue;
  }

  private int depth(@Nullable String queue) {
    if (queue == null) {
      if (fields.has("depth")) {
        fields.refuse(
            "depth", "without \"queue\" nothing is filled; add \"queue\" or remove \"depth\"");
      }
      written.putNull("depth");
      return 0;
    }
    int depth = (int) fields.whole("depth", 1, DEEPEST, USUAL_DEPTH);
    written.put("depth", depth);
    return depth;
  }

  private Map<String, Double> weights() {
    Fields given = fields.object("weights");
    ObjectNode canonical = written.putObject("weights");
    Map<String, Double> weights = new LinkedHashMap<>();
    for (String customer : customers(given, "weights")) {
      BigDecimal weight = given.decimal(customer, WEIGHT_DIGITS);
      boolean fits = weight.signum() > 0 && weight.compareTo(LARGEST_WEIGHT) <= 0;
      if (!fits && !given.isRefused(customer)) {
        given.refuse(customer, "give a number above 0 and up to 1000");
      }
      canonical.set(customer, Json.number(weight.stripTrailingZeros()));
      if (weight.compareTo(BigDecimal.ONE) != 0) {
        weights.put(customer, weight.doubleValue());
      }
    }
    return weights;
  }

  private Map<String, Integer> limits() {
    Fields given = fields.object("maxInFlight");
    ObjectNode canonical = written.putObject("maxInFlight");
    Map<String, Integer> limits = new LinkedHashMap<>();
    for (String customer : customers(given, "maxInFlight")) {
      int limit = (int) given.whole(customer, 1, MOST_IN_FLIGHT);
      canonical.put(customer, limit);
      limits.put(customer, limit);
    }
    return limits;
  }

  private List<String> customers(Fields given, String member) {
    List<String> names = given.names();
    if (names.size() > MOST_CUSTOMERS) {
      fields.refuse(
          member, "there are " + names.size() + " customers; name at most " + MOST_CUSTOMERS);
    }
    for (String name : names) {
      if (name.isBlank() || name.length() > LONGEST_CUSTOMER) {
        faults.add(
            given.at(name),
            Faults.quoted(name)
                + " is not the name of a customer; give 1 to "
                + LONGEST_CUSTOMER
                + " characters, not all of them blank");
      }
    }
    return names;
  }

  /** Why the pool is paused; null if it is not. */
  private @Nullable String paused() {
    JsonNode flag = fields.get("paused");
    if (fields.has("paused") && !flag.isBoolean()) {
      fields.refuse("paused", "give true or false");
    }
    String reason = fields.optionalText("reason", REASON);
    boolean isPaused = flag.asBoolean(false);
    if (reason != null && !isPaused) {
      fields.refuse("reason", "the pool is not paused; add \"paused\": true or remove the reason");
    }
    written.put("paused", isPaused).put("reason", reason);
    return isPaused ? Objects.requireNonNullElse(reason, "") : null;
  }
}
