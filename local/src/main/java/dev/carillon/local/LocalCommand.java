package dev.carillon.local;

import dev.carillon.console.Console;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Runs the engine on this machine until it is interrupted. */
@Command(
    name = "local",
    description = "Runs the whole system on this machine, on the loopback interface.",
    showDefaultValues = true)
public final class LocalCommand implements Callable<Integer> {

  @Option(names = "--port", paramLabel = "PORT", description = "Port of the HTTP API; 0 for any.")
  private int port = 8080;

  @Option(names = "--sqs-port", paramLabel = "PORT", description = "Port of SQS; 0 for any.")
  private int sqsPort = 9324;

  @Option(
      names = "--dynamodb-port",
      paramLabel = "PORT",
      description = "Port of DynamoDB; 0 for any.")
  private int dynamoDbPort = 8000;

  @Option(
      names = "--isolated",
      description =
          "Run each function in a separate process, from the artifact that is deployed to AWS, on AWS's"
              + " runtime interface client.")
  private boolean isolated;

  @Option(names = "--help", usageHelp = true, description = "Show this.")
  @SuppressWarnings("UnusedVariable") // read by the command line's library
  private boolean help;

  @ArgGroup private @Nullable Storage storage;

  @Spec private CommandSpec spec;

  // Set by the command line's library.
  @SuppressWarnings("NullAway.Init")
  private LocalCommand() {}

  /** The options that determine where the engine keeps its data. */
  private static final class Storage {

    @Option(
        names = "--data",
        paramLabel = "DIR",
        description = "Keep all data in this directory; it survives kill -9.")
    private @Nullable Path directory;

    @Option(names = "--in-memory", description = "Keep no data after the end; the default.")
    private boolean inMemory;
  }

  @Override
  public Integer call() throws InterruptedException {
    Path data = storage == null || storage.inMemory ? null : storage.directory;
    if (data != null && data.toString().isBlank()) {
      throw new ParameterException(spec.commandLine(), "--data is empty; name a directory");
    }
    LocalEngine engine =
        LocalEngine.start(
            new LocalEngine.Options(
                LocalEngine.TEMPLATE, port, sqsPort, dynamoDbPort, data, isolated));
    Runtime.getRuntime().addShutdownHook(new Thread(engine::close, "stop"));
    engine.awaitReady();
    announce(engine, data);
    Thread.currentThread().join();
    return 0;
  }

  private void announce(LocalEngine engine, @Nullable Path data) {
    PrintWriter out = spec.commandLine().getOut();
    out.printf(
        "Carillon runs %s; stop it with Ctrl-C.%n", data == null ? "in memory" : "in " + data);
    out.printf("  console   %s%s%n", engine.http(), Console.PATH);
    out.printf("  HTTP API  %s/v1/status%n", engine.http());
    out.printf("  events    %s%n", engine.ingestQueue());
    out.printf("  reports   %s%n", engine.reportQueue());
    out.printf("  SQS       %s%n", engine.sqs());
    out.printf("  DynamoDB  %s%n", engine.dynamoDb());
    out.flush();
  }
}
