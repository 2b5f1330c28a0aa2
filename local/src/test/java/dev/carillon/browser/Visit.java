package dev.carillon.browser;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Browser;
import com.microsoft.playwright.BrowserContext;
import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.Route;
import com.microsoft.playwright.options.AriaRole;
import com.microsoft.playwright.options.ColorScheme;
import java.net.URI;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** A visit of the console in a browser, that fails at its end if the page reported an error. */
final class Visit implements AutoCloseable {

  private final BrowserContext context;
  private final URI console;
  private final Page page;
  private final List<String> errors = new CopyOnWriteArrayList<>();

  private Visit(BrowserContext context, URI console) {
    this.context = context;
    this.console = console;
    this.page = newPage();
  }

  /** A visit of a view, like {@code default/schedules}. */
  static Visit of(String view) {
    return of(view, new Browser.NewContextOptions().setViewportSize(1200, 800));
  }

  static Visit of(String view, Browser.NewContextOptions options) {
    return of(Stage.console(), view, options);
  }

  static Visit of(URI console, String view, Browser.NewContextOptions options) {
    if (options.colorScheme == null) {
      options.setColorScheme(ColorScheme.LIGHT);
    }
    if (options.timezoneId == null) {
      options.setTimezoneId("UTC");
    }
    Visit visit = new Visit(Stage.browser().newContext(options.setLocale("en-GB")), console);
    visit.go(view);
    return visit;
  }

  /** Another tab of the same browser. */
  Page newPage() {
    Page page = context.newPage();
    page.setDefaultTimeout(30_000);
    page.onPageError(error -> errors.add(error));
    page.onConsoleMessage(
        message -> {
          if (message.type().equals("error") && !message.text().startsWith("Failed to load")) {
            errors.add(message.text());
          }
        });
    return page;
  }

  Visit go(String view) {
    go(page, view);
    return this;
  }

  void go(Page page, String view) {
    page.navigate(console + "#/" + view);
  }

  Page page() {
    return page;
  }

  Locator button(String name) {
    return page.getByRole(
        AriaRole.BUTTON, new Page.GetByRoleOptions().setName(name).setExact(true));
  }

  Locator link(String name) {
    return page.getByRole(AriaRole.LINK, new Page.GetByRoleOptions().setName(name).setExact(true));
  }

  Locator dialog() {
    return page.getByRole(AriaRole.DIALOG);
  }

  /** Presses the button of the dialog that carries the action out. */
  void confirm(String action) {
    dialog()
        .getByRole(AriaRole.BUTTON, new Locator.GetByRoleOptions().setName(action).setExact(true))
        .click();
    assertThat(dialog()).hasCount(0);
  }

  /** Closes the dialog with its key. */
  void dismiss() {
    assertThat(dialog()).isVisible();
    page.keyboard().press("Escape");
    // Without roles: a dialog that is closed, but still there, has none.
    assertThat(page.locator("dialog")).hasCount(0);
  }

  Locator table(String label) {
    return page.getByRole(
        AriaRole.TABLE, new Page.GetByRoleOptions().setName(label).setExact(true));
  }

  /**
   * The next calls of these addresses are refused, as API Gateway refuses calls beyond its rate.
   */
  void throttles(String addresses, int times) {
    page.route(
        addresses,
        route ->
            route.fulfill(
                new Route.FulfillOptions()
                    .setStatus(429)
                    .setBody("{\"type\": \"about:blank\", \"title\": \"Too many requests\"}")),
        new Page.RouteOptions().setTimes(times));
  }

  /** Waits until the page shows a text. */
  void shows(String text) {
    assertThat(page.getByRole(AriaRole.MAIN)).containsText(text);
  }

  /** Takes an error that the test provoked from those that fail the visit. */
  void expectError(String part) {
    assertThat(errors).anyMatch(error -> error.contains(part));
    errors.removeIf(error -> error.contains(part));
  }

  @Override
  public void close() {
    context.close();
    assertThat(errors).isEmpty();
  }
}
