package dev.carillon.campaign.system;

import com.amazonaws.services.lambda.runtime.events.APIGatewayProxyResponseEvent;
import dev.carillon.campaign.engine.FaultKind;
import dev.carillon.campaign.engine.Link;
import dev.carillon.campaign.judge.DeploymentAttempt;
import dev.carillon.campaign.judge.DeploymentAttempt.Action;
import dev.carillon.campaign.judge.DeploymentAttempt.Answer;
import dev.carillon.campaign.scenario.Deployment;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The users that deploy an app. Each user repeats its action until the answer is acceptable. */
public final class AppUsers {

  private final Users users;
  private final Link link;
  private final boolean gauged;
  private final long indexLag;
  private final List<DeploymentAttempt> attempts = new ArrayList<>();
  private int numbers;

  /**
   * @param gauged whether a gauge limits all schedules
   * @param indexLag how many milliseconds the deletion of a program waits after the previous
   *     change. The deletion reads the program's schedules from an index that may lag
   */
  public AppUsers(Users users, Link link, boolean gauged, long indexLag) {
    this.users = users;
    this.link = link;
    this.gauged = gauged;
    this.indexLag = indexLag;
  }

  public void carryOut(List<Deployment> script) {
    if (!script.isEmpty()) {
      Deployment first = script.get(0);
      long now = link.simulator().now();
      long earliest = first.action() == Action.PROGRAM ? now + indexLag : now;
      link.simulator()
          .at(Math.max(first.at(), earliest), () -> new PendingAction(script, first).begin());
    }
  }

  public List<DeploymentAttempt> attempts() {
    return attempts;
  }

  /** One action until its final answer; then the rest of the script follows. */
  private final class PendingAction {
    final List<Deployment> script;
    final Deployment deployment;
    final int number = ++numbers;
    boolean mayBeDone;

    PendingAction(List<Deployment> script, Deployment deployment) {
      this.script = script;
      this.deployment = deployment;
    }

    void begin() {
      long called = link.simulator().now();
      link.trace().add(called, () -> "user: " + deployment);
      users.call(RequestBodies.onApp(deployment, gauged), answer -> ended(called, answer));
    }

    private void ended(long called, @Nullable APIGatewayProxyResponseEvent given) {
      Answer answer = answer(deployment.action(), given);
      long now = link.simulator().now();
      link.trace().add(now, () -> "user: " + deployment + " is " + answer + " " + describe(given));
      attempts.add(
          new DeploymentAttempt(
              number,
              deployment.action(),
              deployment.documents(),
              deployment.mode(),
              called,
              now,
              answer));
      mayBeDone |= answer == Answer.UNKNOWN;
      if (answer == Answer.UNKNOWN) {
        link.faults().count(FaultKind.USER_REPEATS);
        again(link.faults().millis(50, 3_000));
      } else if (answer == Answer.REFUSED && mustRepeat()) {
        again(link.faults().millis(1_000, 20_000));
      } else {
        carryOut(script.subList(script.indexOf(deployment) + 1, script.size()));
      }
    }

    private void again(long pause) {
      link.simulator().at(link.simulator().now() + pause, this::begin);
    }

    /**
     * Whether the user must repeat the action, because a change that may have begun must be
     * completed.
     */
    private boolean mustRepeat() {
      return switch (deployment.action()) {
        case FAULTY, SUSPEND, RESUME -> false;
        default -> !deployment.givesUp() || mayBeDone;
      };
    }

    private static Answer answer(Action action, @Nullable APIGatewayProxyResponseEvent given) {
      if (given == null) {
        return Answer.UNKNOWN;
      }
      int status = given.getStatusCode();
      boolean isAbsent = action == Action.DELETE && status == 404;
      return status < 300 || isAbsent ? Answer.DONE : Answer.REFUSED;
    }

    private static String describe(@Nullable APIGatewayProxyResponseEvent given) {
      return given == null ? "" : given.getStatusCode() + " " + given.getBody();
    }
  }
}
