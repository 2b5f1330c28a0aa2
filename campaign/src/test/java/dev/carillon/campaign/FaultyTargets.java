package dev.carillon.campaign;

import dev.carillon.campaign.system.Tampering;
import dev.carillon.launch.LaunchRequest;
import dev.carillon.launch.TargetQueues;
import java.util.List;
import java.util.OptionalLong;

/** Functions that mistake the groups and deduplication ids of FIFO queues. */
final class FaultyTargets {

  private FaultyTargets() {}

  /** All attempts of a job have the same deduplication id. */
  static Tampering deduplicatingJobs() {
    return new Tampering() {
      @Override
      public String deduplicationId(LaunchRequest request) {
        return request.job().toString();
      }
    };
  }

  /** Each sending has a deduplication id of its own. */
  static Tampering deduplicatingNothing() {
    return new Tampering() {
      private int numbers;

      @Override
      public String deduplicationId(LaunchRequest request) {
        return String.valueOf(++numbers);
      }
    };
  }

  /** The group of a request is its job. */
  static TargetQueues groupingByJob(TargetQueues real) {
    return new TargetQueues() {
      @Override
      public List<Outcome> send(List<LaunchRequest> requests) {
        return real.send(requests.stream().map(FaultyTargets::ofJob).toList());
      }

      @Override
      public OptionalLong waiting(String queueArn) {
        return real.waiting(queueArn);
      }

      @Override
      public void prepare(String queueArn) {
        real.prepare(queueArn);
      }
    };
  }

  private static LaunchRequest ofJob(LaunchRequest request) {
    return new LaunchRequest(
        request.job(),
        request.attempt(),
        request.queueArn(),
        request.body(),
        request.attributes(),
        request.groupId() == null ? null : request.job().toString());
  }
}
