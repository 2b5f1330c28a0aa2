package dev.carillon.contract;

import java.net.URI;
import java.util.Optional;
import org.junit.jupiter.api.extension.ConditionEvaluationResult;
import org.junit.jupiter.api.extension.ExecutionCondition;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.testcontainers.DockerClientFactory;
import org.testcontainers.localstack.LocalStackContainer;
import org.testcontainers.utility.DockerImageName;

/**
 * A server for DynamoDB and SQS that is not part of the build: the one in {@code AWS_ENDPOINT_URL},
 * or LocalStack if Docker is available. The build has one test run for it, and one for a second
 * server in {@code SECOND_AWS_ENDPOINT_URL}. Without a server the tests are skipped, with the
 * reason.
 *
 * <p>Its account must be 000000000000, as in LocalStack.
 */
public final class ForeignServer implements ExecutionCondition {

  /** The variable that names the server of this run; empty in runs without a foreign server. */
  private static final String VARIABLE = System.getProperty("carillon.foreign", "");

  /** The run that starts a server if none is named. */
  private static final String FIRST = "AWS_ENDPOINT_URL";

  private static final String IMAGE = "LOCALSTACK_IMAGE";
  private static final String TOKEN = "LOCALSTACK_AUTH_TOKEN";

  /** The last image that requires no token. */
  private static final String FREE_IMAGE = "localstack/localstack:4.14.0";

  private static final Optional<URI> SERVER = isWanted() ? find() : Optional.empty();

  /** Whether these tests are for a foreign server. */
  public static boolean isWanted() {
    return !VARIABLE.isEmpty();
  }

  /** The endpoint of the server, if there is one. */
  public static Optional<URI> endpoint() {
    return SERVER;
  }

  private static Optional<URI> find() {
    String named = System.getenv(VARIABLE);
    if (named != null && !named.isBlank()) {
      return Optional.of(URI.create(named));
    }
    return VARIABLE.equals(FIRST) && DockerClientFactory.instance().isDockerAvailable()
        ? Optional.of(localStack().getEndpoint())
        : Optional.empty();
  }

  /** Starts a server that ends with this JVM. */
  @SuppressWarnings("resource")
  private static LocalStackContainer localStack() {
    String image = System.getenv().getOrDefault(IMAGE, FREE_IMAGE);
    LocalStackContainer container =
        new LocalStackContainer(
                DockerImageName.parse(image).asCompatibleSubstituteFor("localstack/localstack"))
            .withServices("dynamodb", "sqs");
    String token = System.getenv(TOKEN);
    if (token != null) {
      container.withEnv(TOKEN, token);
    }
    container.start();
    return container;
  }

  @Override
  public ConditionEvaluationResult evaluateExecutionCondition(ExtensionContext context) {
    return !isWanted() || endpoint().isPresent()
        ? ConditionEvaluationResult.enabled("there is a server")
        : ConditionEvaluationResult.disabled(
            "no foreign server: "
                + VARIABLE
                + " is not set"
                + (VARIABLE.equals(FIRST) ? ", and there is no Docker" : ""));
  }
}
