package dev.carillon.worker;

import com.fasterxml.jackson.databind.JsonNode;
import dev.carillon.client.CarillonClient;
import java.util.Map;
import software.amazon.awssdk.services.sqs.SqsClient;

/** The examples of the README and of the guide, verbatim. */
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

  static Worker pull(CarillonClient carillon) {
    // begin
    Worker worker =
        Worker.builder()
            .carillon(carillon)
            .pool("team/encode")
            .threads(8)
            .handle("encoder", job -> job.output(encode(job.body(JsonNode.class))))
            .start();
    // end
    return worker;
  }

  private static Map<String, String> encode(JsonNode request) {
    return Map.of("encoded", request.path("file").asText());
  }
}
