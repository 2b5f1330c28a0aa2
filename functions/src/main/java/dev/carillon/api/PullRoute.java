package dev.carillon.api;

import com.amazonaws.services.lambda.runtime.events.APIGatewayProxyResponseEvent;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.carillon.checker.PoolPulls;
import dev.carillon.checker.PoolPulls.Pull;
import dev.carillon.checker.PoolPulls.Pulled;
import dev.carillon.document.Faults;
import dev.carillon.document.Fields;
import dev.carillon.document.Json;
import dev.carillon.document.TextForm;
import dev.carillon.id.PoolId;
import dev.carillon.runtime.Deadline;
import dev.carillon.runtime.Sleeper;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.TreeMap;
import java.util.UUID;
import java.util.function.Supplier;
import java.util.regex.Pattern;

/** Hands the next jobs of a pool to a worker that asks for them. */
final class PullRoute {

  private static final int MOST_JOBS = 25;
  private static final int LONGEST_WAIT_SECONDS = 20;

  /** The longest call: API Gateway ends a request after 29 seconds. */
  private static final Duration LONGEST_CALL = Duration.ofSeconds(25);

  /** The pause between two reads of a pool in which no job waits. */
  private static final Duration PAUSE = Duration.ofSeconds(1);

  private static final TextForm WORKER = TextForm.line(256);
  private static final TextForm REQUEST_ID =
      new TextForm(64, Pattern.compile("[A-Za-z0-9_-]+"), "give 1 to 64 letters, digits, - and _");

  private final PoolPulls pulls;
  private final InstantSource clock;
  private final Sleeper pause;
  private final Supplier<UUID> random;

  PullRoute(PoolPulls pulls, InstantSource clock, Sleeper pause, Supplier<UUID> random) {
    this.pulls = pulls;
    this.clock = clock;
    this.pause = pause;
    this.random = random;
  }

  APIGatewayProxyResponseEvent next(Call call) {
    PoolId pool = call.poolId();
    Faults faults = new Faults();
    Fields body = call.fields(faults, List.of("count", "worker", "waitSeconds", "requestId"));
    int count = body.has("count") ? (int) body.whole("count", 1, MOST_JOBS) : 1;
    String worker = body.text("worker", WORKER);
    int wait =
        body.has("waitSeconds") ? (int) body.whole("waitSeconds", 0, LONGEST_WAIT_SECONDS) : 0;
    String requestId = body.optionalText("requestId", REQUEST_ID);
    Problem.refuse(faults);
    String id = requestId == null ? random.get().toString() : requestId;
    Pull pull = new Pull(pool, count, worker, id, requestId != null);
    List<Pulled> jobs = await(pull, Duration.ofSeconds(wait));
    ObjectNode answer = Json.object();
    ArrayNode list = answer.putArray("jobs");
    jobs.forEach(one -> list.add(view(one)));
    return Answer.of(200, answer);
  }

  private List<Pulled> await(Pull pull, Duration wait) {
    Deadline deadline = new Deadline(clock.instant().plus(LONGEST_CALL), clock);
    Duration rest = wait;
    while (true) {
      List<Pulled> jobs =
          pulls.next(pull, deadline).orElseThrow(() -> PoolRoutes.missing(pull.pool()));
      if (!jobs.isEmpty() || rest.isZero() || deadline.hasPassed() || !hasPaused()) {
        return jobs;
      }
      rest = rest.minus(PAUSE);
    }
  }

  /**
   * Waits for the pause. False if the pause was interrupted; the request then ends without a job.
   */
  private boolean hasPaused() {
    try {
      pause.sleep(PAUSE);
      return true;
    } catch (Sleeper.Interrupted ending) {
      return false;
    }
  }

  private ObjectNode view(Pulled pulled) {
    ObjectNode view = Json.object().put("jobId", pulled.job().id().toString());
    view.setAll(ClaimView.of(pulled.job(), clock.instant()));
    view.put("body", pulled.request().body());
    ObjectNode attributes = view.putObject("attributes");
    new TreeMap<>(pulled.request().attributes()).forEach(attributes::put);
    return view;
  }
}
