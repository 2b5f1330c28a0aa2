package dev.carillon.client;

import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A filter for the jobs of a namespace; all given conditions must match. */
public final class JobFilter {

  private final Map<String, @Nullable String> query;

  private JobFilter(Map<String, @Nullable String> query) {
    this.query = query;
  }

  /** All unfinished jobs. */
  public static JobFilter unfinished() {
    return new JobFilter(Map.of());
  }

  /** All jobs of a link, ended or not. */
  public static JobFilter ofLink(String linkId) {
    return unfinished().with("linkId", linkId);
  }

  public JobFilter withState(Job.State state) {
    return with("state", Known.sent(state, Job.State.UNRECOGNIZED, "/query/state").name());
  }

  public JobFilter withCustomer(String customer) {
    return with("customer", customer);
  }

  public JobFilter withProgram(String program) {
    return with("program", program);
  }

  private JobFilter with(String name, String value) {
    Map<String, @Nullable String> more = new HashMap<>(query);
    more.put(name, value);
    return new JobFilter(more);
  }

  Map<String, @Nullable String> query() {
    return query;
  }
}
