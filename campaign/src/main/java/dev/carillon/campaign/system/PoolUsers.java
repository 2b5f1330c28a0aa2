package dev.carillon.campaign.system;

import com.amazonaws.services.lambda.runtime.events.APIGatewayProxyResponseEvent;
import dev.carillon.campaign.engine.FaultKind;
import dev.carillon.campaign.engine.Link;
import dev.carillon.campaign.judge.PoolFacts.PoolVersion;
import dev.carillon.campaign.scenario.Scenario.PoolChange;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Users that change the pool. They repeat a request until it is answered. */
public final class PoolUsers {

  private final Users users;
  private final Link link;
  private final List<PoolVersion> versions = new ArrayList<>();

  public PoolUsers(Users users, Link link) {
    this.users = users;
    this.link = link;
  }

  /**
   * Requests each change until it is answered, then the next. The first definition is stored
   * already.
   */
  public void carryOut(List<PoolChange> changes) {
    if (!changes.isEmpty()) {
      versions.add(new PoolVersion(0, 0, changes.get(0).definition()));
      follow(changes.subList(1, changes.size()));
    }
  }

  private void follow(List<PoolChange> changes) {
    if (!changes.isEmpty()) {
      link.simulator().at(changes.get(0).at(), () -> put(changes, link.simulator().now()));
    }
  }

  private void put(List<PoolChange> changes, long called) {
    PoolChange change = changes.get(0);
    link.trace().add(link.simulator().now(), () -> "user: " + change);
    users.call(PoolBodies.put(change.definition()), answer -> answered(changes, called, answer));
  }

  private void answered(
      List<PoolChange> changes, long called, @Nullable APIGatewayProxyResponseEvent answer) {
    long now = link.simulator().now();
    if (answer == null) {
      link.faults().count(FaultKind.USER_REPEATS);
      link.simulator().at(now + link.faults().millis(50, 3_000), () -> put(changes, called));
      return;
    }
    if (answer.getStatusCode() >= 300) {
      throw new IllegalStateException("the pool was refused: " + answer.getBody());
    }
    link.trace().add(now, () -> "user: the pool is stored");
    versions.add(new PoolVersion(called, now, changes.get(0).definition()));
    follow(changes.subList(1, changes.size()));
  }

  /** The definitions so far, in order. */
  public List<PoolVersion> versions() {
    return versions;
  }
}
