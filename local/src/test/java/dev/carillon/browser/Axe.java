package dev.carillon.browser;

import com.microsoft.playwright.Page;
import com.microsoft.playwright.options.ColorScheme;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** The rules of axe-core for screen readers, contrast and the keyboard. */
final class Axe {

  private static final String SOURCE = "/META-INF/resources/webjars/axe-core/4.6.3/axe.min.js";

  private Axe() {}

  /** The serious and critical findings of a view; of a dark one, those about contrast alone. */
  @SuppressWarnings("unchecked")
  static List<String> findings(Page page, ColorScheme scheme, String view) throws IOException {
    page.evaluate(source() + "; undefined");
    List<String> found =
        (List<String>)
            page.evaluate(
                "async (rules) => (await axe.run(rules.length ? {runOnly: rules} :"
                    + " {})).violations.filter((v) => ['serious',"
                    + " 'critical'].includes(v.impact)).flatMap((v) => v.nodes.map((n) => v.id + ':"
                    + " ' + n.html + ' ' + n.failureSummary))",
                scheme == ColorScheme.DARK ? List.of("color-contrast") : List.of());
    return found.stream().map(finding -> scheme + " " + view + ": " + finding).toList();
  }

  private static String source() throws IOException {
    try (InputStream source = Axe.class.getResourceAsStream(SOURCE)) {
      return new String(source.readAllBytes(), StandardCharsets.UTF_8);
    }
  }
}
