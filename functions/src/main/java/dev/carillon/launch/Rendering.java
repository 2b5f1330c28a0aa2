package dev.carillon.launch;

import java.util.List;

/** The result of rendering a launch request. */
public sealed interface Rendering {

  /**
   * @param notes remarks for the job's history, like variables without a value
   */
  record Rendered(LaunchRequest request, List<String> notes) implements Rendering {}

  /** No queue can ever accept the request. The reason contains no values of the payload. */
  record Unsendable(String reason) implements Rendering {}
}
