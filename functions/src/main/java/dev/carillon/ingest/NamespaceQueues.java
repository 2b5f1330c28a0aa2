package dev.carillon.ingest;

import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The queues that accept the events of one namespace only.
 *
 * @param prefix the start of the queues' names; the rest of a name is the namespace
 */
public record NamespaceQueues(String prefix) {

  /**
   * The only namespace whose events a queue accepts; empty if it accepts events of any namespace.
   */
  public Optional<String> namespaceOf(@Nullable String queueArn) {
    String arn = queueArn == null ? "" : queueArn;
    String name = arn.substring(arn.lastIndexOf(':') + 1);
    return name.startsWith(prefix)
        ? Optional.of(name.substring(prefix.length()))
        : Optional.empty();
  }
}
