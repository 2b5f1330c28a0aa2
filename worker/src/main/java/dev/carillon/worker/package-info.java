/**
 * Runs the jobs of Carillon: {@link dev.carillon.worker.Worker} receives launch requests from SQS
 * and claims each job, or pulls claimed jobs from a pool. It calls the handler of the program, and
 * reports the end.
 *
 * <h2>What it guarantees</h2>
 *
 * <ul>
 *   <li>A handler is called only with a claim of which at least a fifth is left. Of several
 *       deliveries of a request, in one process or in many, only one gets the claim.
 *   <li>The claim is renewed by a heartbeat every fifth of its lifetime, which is the heartbeat
 *       time-out, or what is left of the run time-out. If no heartbeat extends the claim for 0.8 of
 *       its lifetime, the handler is stopped. The time is measured by this process's monotonic
 *       clock, from the instant at which the last heartbeat that extended the claim was sent. To
 *       stop a handler, its thread is interrupted, and {@link
 *       dev.carillon.worker.ClaimedJob#isStopped} becomes true. The server starts another attempt
 *       after the whole lifetime, never before. The clocks of different machines are not compared.
 *   <li>The report of the end is repeated until it is answered, for up to five minutes. After the
 *       closing time of the worker, it is sent once more at most. A report after the claim was lost
 *       has no effect.
 *   <li>A request that waits for a thread stays invisible to other workers, and goes back to its
 *       queue when the worker closes. If the process is lost, SQS delivers the request again.
 *   <li>A job is pulled only for a free thread, which is reserved for it. A pull without an answer
 *       is repeated under the same id, so that a lost answer loses no job. If a pull waited for a
 *       fifth of the claim's lifetime, the claim is renewed before the handler is called. Jobs
 *       whose claims cannot be renewed then, jobs from the last pull of a closing worker, and jobs
 *       without a handler are reported as retriable failures. After a job without a handler, the
 *       next pull comes a minute later.
 *   <li>A message that is not a launch request, or whose program has no handler, is left in its
 *       queue.
 * </ul>
 *
 * <h2>What a handler must do</h2>
 *
 * A job is carried out at least once: a worker can die after the work and before the report.
 * Moreover, a process that was paused, or a handler that ignores interrupts, can write after the
 * next attempt has begun. So that all attempts together have the effect of one, a handler writes
 * its result by the job's id, under the condition that no later attempt has written it. The number
 * of the attempt is the <em>fencing token</em>:
 *
 * <pre>{@code
 * .handle("exporter", job -> {
 *   long total = export(job.body(JsonNode.class));
 *   int rows = jdbc.update(
 *       "insert into export (job_id, attempt, total) values (?, ?, ?)"
 *           + " on conflict (job_id) do update"
 *           + " set attempt = excluded.attempt, total = excluded.total"
 *           + " where export.attempt <= excluded.attempt",
 *       job.jobId(), job.attempt(), total);
 *   if (rows == 0) {
 *     throw new IllegalStateException("a later attempt has written the result");
 *   }
 * })
 * }</pre>
 *
 * <p>In DynamoDB the condition of such a put is {@code attribute_not_exists(jobId) OR attempt <=
 * :attempt}. For an effect that happens once and is not replaced (a payment), put with {@code
 * attribute_not_exists(jobId)}, and treat a failed condition as success.
 *
 * <h2>What it uses</h2>
 *
 * The client library of Carillon, the SDK's client for SQS, Jackson and SLF4J; no other module of
 * Carillon.
 */
@NullMarked
package dev.carillon.worker;

import org.jspecify.annotations.NullMarked;
