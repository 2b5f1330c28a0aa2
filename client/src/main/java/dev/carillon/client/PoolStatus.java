package dev.carillon.client;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The present numbers of a pool.
 *
 * @param depth how many jobs the pool keeps in its queue; null without a queue
 * @param visible how many jobs wait in the queue: {@code moved} less {@code claimed}
 * @param inFlight how many jobs of customers with a limit were moved or pulled and have not ended;
 *     null if no customer has a limit
 * @param moved how many jobs were moved into the queue since the pool was created
 * @param claimed how many of the moved jobs have left the queue
 * @param nextChoiceAt when the next choice is planned; null if none is
 * @param oldestReadyAt when the oldest of the counted jobs became READY; null for none
 * @param servedSince the instant from which the chosen jobs are counted; null if no job was chosen
 *     since then
 * @param servedLastHour the chosen jobs of some customers, the customer with the most jobs first
 * @param servedOthers the chosen jobs of all other customers
 */
@JsonIgnoreProperties(ignoreUnknown = true)
public record PoolStatus(
    @Nullable Integer depth,
    long visible,
    @Nullable Integer inFlight,
    long moved,
    long claimed,
    @Nullable Instant nextChoiceAt,
    @Nullable Instant oldestReadyAt,
    Waiting waiting,
    @Nullable Instant servedSince,
    List<CustomerShare> servedLastHour,
    long servedOthers) {

  /**
   * The jobs that wait READY.
   *
   * @param isAtLeast whether more jobs can wait than were counted
   * @param customers how many customers the counted jobs have
   * @param byCustomer the customers with the most counted jobs
   */
  @JsonIgnoreProperties(ignoreUnknown = true)
  public record Waiting(
      int jobs, boolean isAtLeast, int customers, List<CustomerJobs> byCustomer) {}

  /**
   * The chosen jobs of a customer.
   *
   * @param customer null for jobs without a customer
   * @param share their part of all chosen jobs, from 0 to 1
   */
  @JsonIgnoreProperties(ignoreUnknown = true)
  public record CustomerShare(@Nullable String customer, long jobs, double share) {}

  /**
   * The waiting jobs of a customer.
   *
   * @param customer null for jobs without a customer
   */
  @JsonIgnoreProperties(ignoreUnknown = true)
  public record CustomerJobs(@Nullable String customer, long jobs) {}
}
