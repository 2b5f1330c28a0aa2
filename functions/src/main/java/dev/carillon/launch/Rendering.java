package dev.carillon.launch;

import java.util.List;

/** What came of rendering a launch request. */
public sealed interface Rendering {

  /**
   * @param notes what the user should find in the job's history, like variables without a value
   */
  record Rendered(LaunchRequest request, List<String> notes) implements Rendering {}

  /** No queue would ever take it. The reason names no values of the payload. */
  record Unsendable(String reason) implements Rendering {}
}
