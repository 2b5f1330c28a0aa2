package dev.carillon.cli.session;

import dev.carillon.cli.connection.Connection;
import dev.carillon.cli.connection.ContextFile;
import dev.carillon.cli.connection.Settings;
import dev.carillon.cli.output.CommandFault;
import dev.carillon.cli.output.Moments;
import dev.carillon.cli.output.Printer;
import dev.carillon.cli.output.Progress;
import dev.carillon.cli.output.Style;
import dev.carillon.cli.output.Times;
import dev.carillon.cli.output.WrongUsage;
import dev.carillon.client.CarillonClient;
import dev.carillon.client.NameForm;
import dev.carillon.client.Namespace;
import java.time.Instant;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TimeZone;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Help.Ansi;

/** One call of the command line. Its options are set while the arguments are read. */
public final class Session {

  /** Moves to the upper left corner and clears the screen. */
  private static final String CLEAR = "\u001b[H\u001b[2J";

  private final World world;
  private final GlobalOptions options = new GlobalOptions();
  private @Nullable Settings settings;
  private @Nullable Connection connection;
  private @Nullable CarillonClient client;

  public Session(World world) {
    this.world = world;
  }

  public World world() {
    return world;
  }

  public GlobalOptions options() {
    return options;
  }

  public boolean isVerbose() {
    return options.verbose;
  }

  /** The file of contexts. */
  public ContextFile contexts() {
    return ContextFile.of(world.environment(), world.home());
  }

  /**
   * The name of the context, from the option. If it is missing, from the environment; if that is
   * missing too, from the file.
   */
  public String contextName() {
    String named = options.context;
    named = named == null ? world.environment().get("CARILLON_CONTEXT") : named;
    return named == null ? contexts().read().current() : named;
  }

  /**
   * The settings. Options have precedence over environment variables, these over the context, and
   * the context over the settings of the local engine.
   */
  public Settings settings() {
    Settings found = settings == null ? found() : settings;
    settings = found;
    return found;
  }

  private Settings found() {
    return given().or(contexts().read().named(contextName())).orLocal();
  }

  /** The settings of options and environment variables. */
  private Settings given() {
    return options.settings().or(Settings.of(world.environment()));
  }

  /** The connection to the API; created once. */
  public Connection connection() {
    Connection made =
        connection == null
            ? Connection.of(settings(), prefersProfile(), world.environment())
            : connection;
    connection = made;
    return made;
  }

  /**
   * Whether an option or the context names the profile. It then has precedence over credentials in
   * the environment, as in the AWS CLI. A profile that a variable names does not.
   */
  private boolean prefersProfile() {
    return options.settings().profile() != null
        || Settings.of(world.environment()).profile() == null;
  }

  /** The client of the API; created once. */
  public CarillonClient client() {
    CarillonClient made = client == null ? connection().client() : client;
    client = made;
    return made;
  }

  /**
   * The name of the namespace.
   *
   * @throws WrongUsage if no namespace can have this name
   */
  public String namespaceName() {
    String name = Objects.requireNonNull(settings().namespace());
    Optional<String> fault = NameForm.NAMESPACE.fault(name);
    if (fault.isPresent()) {
      throw new WrongUsage(fault.get());
    }
    return name;
  }

  /** Whether an option or an environment variable names the namespace. */
  public boolean namesNamespace() {
    return given().namespace() != null;
  }

  public Namespace namespace() {
    return client().namespace(namespaceName());
  }

  public Times times() {
    return new Times(this::zone, world.clock().instant());
  }

  private TimeZone zone() {
    return options.utc ? TimeZone.getTimeZone("UTC") : world.zone().get();
  }

  /**
   * The instant that an option names.
   *
   * @param option the name of the option, for the text of a fault
   */
  public Instant moment(String option, String text) {
    try {
      return Moments.read(text, times());
    } catch (IllegalArgumentException strange) {
      throw new WrongUsage(option + ": " + strange.getMessage(), strange);
    }
  }

  /** Like {@link #moment}, but gives null for null. */
  public @Nullable Instant optionalMoment(String option, @Nullable String text) {
    return text == null ? null : moment(option, text);
  }

  public Style style() {
    return new Style(hasColours() ? Ansi.ON : Ansi.OFF, world.terminal().width());
  }

  /** Whether the screen can show colours and the user wants them. */
  public boolean hasColours() {
    Map<String, String> environment = world.environment();
    return world.terminal().hasColours() && !environment.containsKey("NO_COLOR");
  }

  public Printer printer() {
    return new Printer(world.out(), options.format, style());
  }

  /**
   * Whether a command that prints again and again should go on: its user has not interrupted it,
   * and its output still arrives. The reader of a pipe can close it.
   */
  public boolean isFollowed() {
    return !Thread.currentThread().isInterrupted() && !world.out().checkError();
  }

  /** Clears the screen, so that the next output replaces the current one. */
  public void clearScreen() {
    if (world.terminal().isInteractive()) {
      world.out().print(CLEAR);
    }
  }

  /** Prints a note, which is not data, on the error output. */
  public void note(String text) {
    world.err().println(text);
    world.err().flush();
  }

  /**
   * A progress bar on the error output. It is hidden if the error output is not a terminal,
   * wherever the standard output goes.
   *
   * @param steps the number of steps; negative if it is unknown
   */
  public Progress progress(String task, long steps) {
    int width = world.terminal().widthOfErrors();
    return width == 0 ? Progress.hidden() : Progress.shown(world.err(), task, steps, width);
  }

  /**
   * Asks the user before a change that cannot be undone.
   *
   * @param yes the option {@code --yes}
   * @throws CommandFault if there is no terminal to ask on
   */
  public boolean confirms(String question, boolean yes) {
    if (yes) {
      return true;
    }
    if (!world.terminal().isInteractive()) {
      throw new CommandFault(question + " There is no terminal to ask; give --yes");
    }
    String answer = world.terminal().ask(question + " [y/N] ");
    return answer != null && answer.strip().toLowerCase(Locale.ROOT).startsWith("y");
  }
}
