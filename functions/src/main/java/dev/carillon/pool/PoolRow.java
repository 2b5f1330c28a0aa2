package dev.carillon.pool;

import dev.carillon.id.JobId;
import dev.carillon.id.PoolId;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Locale;

/**
 * An item beside a pool, with a key that determines the order of the items. A repeated put or
 * removal of an item changes nothing.
 *
 * <p>The parts of a key are separated by {@code #}, which sorts before each character that {@link
 * #encoded} leaves in a customer's name. So all rows of one customer stand together.
 */
public sealed interface PoolRow {

  PoolId pool();

  /** The key is unique in the pool; rows are read in the order of their keys. */
  String key();

  /** A row of a customer that takes turns: a job that waits, or the record of a turn. */
  sealed interface Place extends PoolRow {
    int priority();

    /** The customer that takes turns; empty for jobs without a customer. */
    String customer();
  }

  /**
   * A job that waits READY.
   *
   * @param since when it became READY
   */
  record ReadyJob(PoolId pool, int priority, String customer, Instant since, JobId job)
      implements Place {

    @Override
    public String key() {
      return String.format(
          Locale.ROOT, "%s%015d#%s", of(priority, customer), since.toEpochMilli(), local(job));
    }
  }

  /**
   * The round in which a customer had its turn. The row is stored only if the waiting jobs do not
   * show the round: the customer was served before its place, or its last waiting job was taken.
   */
  record Served(PoolId pool, int priority, String customer, long round) implements Place {

    @Override
    public String key() {
      return of(priority, customer);
    }
  }

  /** A customer that had no waiting job before; it is served next. */
  record Newcomer(PoolId pool, int priority, String customer) implements PoolRow {

    @Override
    public String key() {
      return newcomers(priority) + encoded(customer) + "#";
    }
  }

  /**
   * A job of a customer with a limit that was moved or pulled, and whose attempt has not ended.
   *
   * @param since when the attempt became READY
   */
  record InFlight(PoolId pool, String customer, Instant since, JobId job) implements PoolRow {

    @Override
    public String key() {
      return String.format(
          Locale.ROOT, "%s%015d#%s", flights(customer), since.toEpochMilli(), local(job));
    }
  }

  /** The prefix of the keys of {@link Place}. */
  String READY = "ready#";

  /** The prefix of the keys of {@link Newcomer}. */
  String NEW = "new#";

  /** The prefix of the keys of {@link InFlight}. */
  String FLIGHT = "flight#";

  /** The bound that sorts after each key with the prefix. The prefix ends with the separator. */
  static String after(String prefix) {
    return prefix.substring(0, prefix.length() - 1) + "$";
  }

  /** The bound that sorts right before each key with the prefix. */
  static String before(String prefix) {
    return prefix.substring(0, prefix.length() - 1);
  }

  /** The prefix of the keys of a priority's newcomers. */
  static String newcomers(int priority) {
    return NEW + priority + "#";
  }

  /** The prefix of the keys of a priority's places. */
  static String of(int priority) {
    return READY + priority + "#";
  }

  /** The prefix of the keys of a customer's places. */
  static String of(int priority, String customer) {
    return of(priority) + encoded(customer) + "#";
  }

  /** The prefix of the keys of a customer's jobs in flight. */
  static String flights(String customer) {
    return FLIGHT + encoded(customer) + "#";
  }

  /**
   * The name, in which ASCII characters other than letters, digits, dot, hyphen and underscore are
   * percent-encoded. Other characters stay as they are, because a key has at most 1,024 bytes.
   */
  private static String encoded(String customer) {
    StringBuilder text = new StringBuilder();
    // A name with half of a surrogate pair is stored as it is decoded here.
    String stored = new String(customer.getBytes(StandardCharsets.UTF_8), StandardCharsets.UTF_8);
    for (int i = 0; i < stored.length(); i++) {
      char character = stored.charAt(i);
      boolean isPlain =
          character >= 128 || Character.isLetterOrDigit(character) || ".-_".indexOf(character) >= 0;
      text.append(
          isPlain
              ? Character.toString(character)
              : String.format(Locale.ROOT, "%%%02X", (int) character));
    }
    return text.toString();
  }

  private static String decoded(String text) {
    return URLDecoder.decode(text, StandardCharsets.UTF_8);
  }

  /** The job id without its namespace, which is the namespace of the pool. */
  private static String local(JobId job) {
    return job.toString().substring(job.schedule().namespace().length() + 1);
  }

  private static JobId job(PoolId pool, String local) {
    return JobId.parse(pool.namespace() + "~" + local);
  }

  /**
   * Reads a row from its key.
   *
   * @param round the round of a {@link Served}; 0 for other rows
   * @throws IllegalArgumentException if the key is not that of a row
   */
  static PoolRow parse(PoolId pool, String key, long round) {
    String[] parts = key.split("#", -1);
    if (key.startsWith(READY) && parts.length == 4 && parts[3].isEmpty()) {
      return new Served(pool, Integer.parseInt(parts[1]), decoded(parts[2]), round);
    }
    if (key.startsWith(READY) && parts.length == 5) {
      Instant since = Instant.ofEpochMilli(Long.parseLong(parts[3]));
      int priority = Integer.parseInt(parts[1]);
      return new ReadyJob(pool, priority, decoded(parts[2]), since, job(pool, parts[4]));
    }
    if (key.startsWith(NEW) && parts.length == 4) {
      return new Newcomer(pool, Integer.parseInt(parts[1]), decoded(parts[2]));
    }
    if (key.startsWith(FLIGHT) && parts.length == 4) {
      Instant since = Instant.ofEpochMilli(Long.parseLong(parts[2]));
      return new InFlight(pool, decoded(parts[1]), since, job(pool, parts[3]));
    }
    throw new IllegalArgumentException("not a row of a pool: " + key);
  }
}
