package dev.carillon.ingest;

import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The queues that take events of one namespace only.
 *
 * @param prefix what their names begin with; the namespace follows
 */
public record NamespaceQueues(String prefix) {

  /** Whose events come from a queue; empty if any namespace's may. */
  public Optional<String> namespaceOf(@Nullable String queueArn) {
    String arn = queueArn == null ? "" : queueArn;
    String name = arn.substring(arn.lastIndexOf(':') + 1);
    return name.startsWith(prefix)
        ? Optional.of(name.substring(prefix.length()))
        : Optional.empty();
  }
}
