package dev.carillon.worker;

import com.fasterxml.jackson.databind.JsonNode;
import dev.carillon.client.CarillonClient;
import java.util.Map;
import software.amazon.awssdk.services.sqs.SqsClient;

/** The example of the README, verbatim. */
final class Example {

  private Example() {}

  static void run(CarillonClient carillon, SqsClient sqs) throws InterruptedException {
    // begin
    Worker worker =
        Worker.builder()
            .carillon(carillon)
            .queue(sqs, "carillon-target-exports")
            .threads(8)
            .handle(
                "exporter",
                job -> {
                  String day = job.body(JsonNode.class).path("day").asText();
                  job.progress(Map.of("exporting", day));
                  job.output(Map.of("file", "exports/" + day + "." + job.attempt()));
                })
            .start();
    Runtime.getRuntime().addShutdownHook(new Thread(worker::close));
    worker.awaitEnd();
    // end
  }
}
