package dev.carillon.campaign.system;

import com.amazonaws.services.lambda.runtime.events.APIGatewayProxyResponseEvent;
import dev.carillon.campaign.engine.FaultKind;
import dev.carillon.campaign.engine.Link;
import dev.carillon.campaign.judge.Deploying;
import dev.carillon.campaign.judge.Deploying.Action;
import dev.carillon.campaign.judge.Deploying.Answer;
import dev.carillon.campaign.scenario.Deployment;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Users of an app. Each tries what it wants until there is an answer that it can live with. */
public final class Deployers {

  /**
   * Milliseconds after a change before a program is deleted: it is found in an index that may lag.
   */
  private static final long INDEX_LAG = 5_000;

  private final Users users;
  private final Link link;
  private final boolean gauged;
  private final List<Deploying> tries = new ArrayList<>();
  private int numbers;

  /**
   * @param gauged whether all schedules are under a gauge
   */
  public Deployers(Users users, Link link, boolean gauged) {
    this.users = users;
    this.link = link;
    this.gauged = gauged;
  }

  public void carryOut(List<Deployment> script) {
    if (!script.isEmpty()) {
      Deployment first = script.get(0);
      long now = link.steps().now();
      long earliest = first.action() == Action.PROGRAM ? now + INDEX_LAG : now;
      link.steps().at(Math.max(first.at(), earliest), () -> new Doing(script, first).begin());
    }
  }

  public List<Deploying> tries() {
    return tries;
  }

  /** One change of the app until it is over, and then the rest of the script. */
  private final class Doing {
    final List<Deployment> script;
    final Deployment wanted;
    final int number = ++numbers;
    boolean mayBeDone;

    Doing(List<Deployment> script, Deployment wanted) {
      this.script = script;
      this.wanted = wanted;
    }

    void begin() {
      long called = link.steps().now();
      link.trace().add(called, () -> "user: " + wanted);
      users.call(Texts.onApp(wanted, gauged), answer -> ended(called, answer));
    }

    private void ended(long called, @Nullable APIGatewayProxyResponseEvent given) {
      Answer answer = answer(wanted.action(), given);
      long now = link.steps().now();
      link.trace().add(now, () -> "user: " + wanted + " is " + answer + " " + told(given));
      tries.add(
          new Deploying(
              number, wanted.action(), wanted.documents(), wanted.mode(), called, now, answer));
      mayBeDone |= answer == Answer.UNKNOWN;
      if (answer == Answer.UNKNOWN) {
        link.faults().count(FaultKind.USER_REPEATS);
        again(link.faults().millis(50, 3_000));
      } else if (answer == Answer.REFUSED && insists()) {
        again(link.faults().millis(1_000, 20_000));
      } else {
        carryOut(script.subList(script.indexOf(wanted) + 1, script.size()));
      }
    }

    private void again(long pause) {
      link.steps().at(link.steps().now() + pause, this::begin);
    }

    /** Who has begun to change the app, perhaps, cannot let it be. */
    private boolean insists() {
      return switch (wanted.action()) {
        case FAULTY, SUSPEND, RESUME -> false;
        default -> !wanted.givesUp() || mayBeDone;
      };
    }

    private static Answer answer(Action action, @Nullable APIGatewayProxyResponseEvent given) {
      if (given == null) {
        return Answer.UNKNOWN;
      }
      int status = given.getStatusCode();
      boolean isGone = action == Action.DELETE && status == 404;
      return status < 300 || isGone ? Answer.DONE : Answer.REFUSED;
    }

    private static String told(@Nullable APIGatewayProxyResponseEvent given) {
      return given == null ? "" : given.getStatusCode() + " " + given.getBody();
    }
  }
}
