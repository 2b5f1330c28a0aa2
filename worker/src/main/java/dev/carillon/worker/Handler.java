package dev.carillon.worker;

/**
 * The work of one program. Many threads call it at once.
 *
 * <p>If it returns, the job SUCCEEDED. If it throws, the attempt failed with the stack trace as its
 * error, and the job is retried as its schedule says; a {@link FatalJobException} ends the job as
 * FAILED at once. If the attempt was stopped meanwhile, it is reported as not finished, whether the
 * handler returns or throws.
 */
@FunctionalInterface
public interface Handler {

  void handle(ClaimedJob job) throws Exception;
}
