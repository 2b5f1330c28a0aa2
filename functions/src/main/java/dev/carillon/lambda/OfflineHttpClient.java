package dev.carillon.lambda;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.carillon.document.Json;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import software.amazon.awssdk.http.AbortableInputStream;
import software.amazon.awssdk.http.ExecutableHttpRequest;
import software.amazon.awssdk.http.HttpExecuteRequest;
import software.amazon.awssdk.http.HttpExecuteResponse;
import software.amazon.awssdk.http.SdkHttpClient;
import software.amazon.awssdk.http.SdkHttpResponse;

/**
 * An HTTP client that sends nothing. For each service, it has one answer, which has all members
 * that a warm-up needs. So the SDK parses these answers as it parses those of the services.
 *
 * @param tables the answer of DynamoDB
 */
record OfflineHttpClient(String tables) implements SdkHttpClient {

  private static final String OPERATION = "X-Amz-Target";
  private static final String SQS = "AmazonSQS.";

  /** Answers with items that belong to no table of the functions. */
  static final String STRANGE_ITEMS =
      """
      {"Items": [{"id": {"S": "offline"}, "n": {"N": "1"}, "w": {"B": "AAAA"}}],
       "Responses": {"offline": [{"id": {"S": "offline"}, "n": {"N": "1"}, "w": {"B": "AAAA"}}]}}
      """;

  /** Answers of tables without items. */
  static final String NO_ITEMS =
      "{\"Items\": [], \"Count\": 0, \"ScannedCount\": 0, \"Responses\": {}}";

  private static final String QUEUES =
      """
      {"QueueUrl": "https://sqs.us-east-1.amazonaws.com/000000000000/nowhere",
       "Attributes": {"ApproximateNumberOfMessages": "0"}}
      """;

  @Override
  public ExecutableHttpRequest prepareRequest(HttpExecuteRequest request) {
    return new ExecutableHttpRequest() {
      @Override
      public HttpExecuteResponse call() throws IOException {
        byte[] document = answer(request).getBytes(StandardCharsets.UTF_8);
        return HttpExecuteResponse.builder()
            .response(SdkHttpResponse.builder().statusCode(200).build())
            .responseBody(AbortableInputStream.create(new ByteArrayInputStream(document)))
            .build();
      }

      @Override
      public void abort() {}
    };
  }

  private String answer(HttpExecuteRequest request) throws IOException {
    boolean isQueue =
        request
            .httpRequest()
            .firstMatchingHeader(OPERATION)
            .filter(operation -> operation.startsWith(SQS))
            .isPresent();
    return isQueue ? Json.write(queues(request)) : tables;
  }

  /**
   * Accepts messages without attributes, and leaves the digests of attributes out of its answer.
   */
  private static ObjectNode queues(HttpExecuteRequest request) throws IOException {
    ObjectNode answer = Json.readObject(QUEUES);
    ArrayNode accepted = answer.putArray("Successful");
    for (JsonNode message : Json.readObject(content(request)).path("Entries")) {
      if (!message.has("MessageAttributes")) {
        accepted
            .addObject()
            .put("Id", message.path("Id").textValue())
            .put("MessageId", "offline")
            .put("MD5OfMessageBody", md5(message.path("MessageBody").asText()));
      }
    }
    return answer;
  }

  private static String content(HttpExecuteRequest request) throws IOException {
    try (InputStream content = request.contentStreamProvider().orElseThrow().newStream()) {
      return new String(content.readAllBytes(), StandardCharsets.UTF_8);
    }
  }

  /** The digest by which the SDK compares what SQS received with what it sent. */
  private static String md5(String body) {
    try {
      MessageDigest digest = MessageDigest.getInstance("MD5");
      return HexFormat.of().formatHex(digest.digest(body.getBytes(StandardCharsets.UTF_8)));
    } catch (NoSuchAlgorithmException impossible) {
      throw new IllegalStateException(impossible);
    }
  }

  @Override
  public void close() {}
}
