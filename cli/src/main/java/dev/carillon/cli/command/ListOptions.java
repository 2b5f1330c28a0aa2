package dev.carillon.cli.command;

import dev.carillon.cli.session.Session;
import dev.carillon.client.Page;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options that limit how much of a list is read. */
final class ListOptions {

  private static final int LARGEST_PAGE = 1_000;

  @Option(
      names = "--limit",
      paramLabel = "N",
      defaultValue = "100",
      description = "How many to show at most, 0 for all; 100 by default.")
  private int limit;

  ListOptions() {}

  /** Reads a page of this size that begins at {@code next}; null means the first page. */
  interface Pages<T> {
    Page<T> read(int size, @Nullable String next);
  }

  /** The items up to the limit of the user. If there are more, it prints a note. */
  <T> List<T> read(Session session, Pages<T> pages) {
    List<T> items = new ArrayList<>();
    String next = null;
    do {
      int room = limit <= 0 ? LARGEST_PAGE : Math.min(limit - items.size(), LARGEST_PAGE);
      Page<T> page = pages.read(room, next);
      items.addAll(page.items());
      next = page.next();
    } while (next != null && (limit <= 0 || items.size() < limit));
    if (next != null) {
      session.note("only the first " + items.size() + " shown; --limit 0 shows all");
    }
    if (items.isEmpty()) {
      session.note("none in namespace " + session.namespaceName());
    }
    return items;
  }
}
