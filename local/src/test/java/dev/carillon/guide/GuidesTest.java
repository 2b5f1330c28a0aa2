package dev.carillon.guide;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.carillon.client.Awaiting;
import dev.carillon.local.LocalEngine;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import software.amazon.awssdk.auth.credentials.AnonymousCredentialsProvider;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.sqs.SqsClient;

/** The examples of the guides, sent to a local engine as they are written. */
@Timeout(600)
public class GuidesTest {

  private static final Path GUIDES = Path.of("../docs/guide");

  /** The pages whose examples this test runs. */
  public static final List<String> PAGES =
      List.of(
          "five-minutes.md",
          "write-a-worker.md",
          "from-eventbridge-scheduler.md",
          "from-airflow.md",
          "from-cron.md",
          "when-not.md",
          "production.md",
          "curl-sigv4.md");

  private static final Pattern FENCE = Pattern.compile("(?ms)^```(\\w*)\\n(.*?)^```$");

  /** A word of a shell command: single quotes take everything, double quotes end at the next. */
  private static final Pattern WORD = Pattern.compile("(?:'[^']*'|\"[^\"]*\"|\\\\\\n|[^\\s'\"])+");

  private static final Pattern COMMAND =
      Pattern.compile("(?ms)^(curl|signed) (?:'[^']*'|\"[^\"]*\"|\\\\\\n|[^\\n'\"])*");

  private static final Pattern INLINE = Pattern.compile("`(\\{\"type\": .*?})`");
  private static final int LONGEST_PARAGRAPH = 500;
  private static final ObjectMapper JSON = new ObjectMapper();

  private static LocalEngine engine;

  @BeforeAll
  static void start() throws InterruptedException {
    engine = LocalEngine.start(new LocalEngine.Options(Path.of("../template.yaml"), 0, 0, 0, null));
    engine.awaitReady();
  }

  @AfterAll
  static void stop() {
    engine.close();
  }

  static List<String> pages() {
    return PAGES;
  }

  @ParameterizedTest
  @MethodSource("pages")
  void eachRequestIsAccepted(String page) throws Exception {
    Map<String, String> variables = new HashMap<>();
    variables.put("api", engine.http().toString());
    for (String block : blocks(page, "sh")) {
      Matcher assigned = Pattern.compile("(?m)^api=(http\\S+)$").matcher(block);
      if (assigned.find()) {
        variables.put("api", local(assigned.group(1)));
      }
      Matcher command = COMMAND.matcher(block);
      while (command.find()) {
        send(command.group(), variables);
      }
    }
  }

  private static void send(String command, Map<String, String> variables) throws Exception {
    List<String> words = new ArrayList<>();
    Matcher word = WORD.matcher(command);
    while (word.find()) {
      words.add(word.group().replace("\\\n", ""));
    }
    String method = "GET";
    String body = "";
    String address = "";
    for (int i = 1; i < words.size(); i++) {
      switch (words.get(i)) {
        case "-X" -> method = words.get(++i);
        case "-d" -> body = unquoted(words.get(++i));
        case "-H" -> assertThat(words.get(++i)).isEqualTo("'Content-Type: application/json'");
        default -> address = unquoted(words.get(i));
      }
    }
    URI uri = URI.create(local(address.replace("$api", variables.get("api"))));
    HttpRequest request =
        HttpRequest.newBuilder(uri)
            .header("Content-Type", "application/json")
            .method(method, BodyPublishers.ofString(body))
            .build();
    HttpResponse<String> answer = HttpClient.newHttpClient().send(request, BodyHandlers.ofString());
    assertThat(answer.statusCode()).as(command + "\n" + answer.body()).isBetween(200, 299);
  }

  private static String unquoted(String word) {
    return word.replaceAll("^['\"]|['\"]$", "");
  }

  private static String local(String address) {
    return address
        .replace("http://localhost:8080", engine.http().toString())
        .replace("http://localhost:9324", engine.sqs().toString());
  }

  @ParameterizedTest
  @MethodSource("pages")
  void eachDocumentIsAccepted(String page) throws Exception {
    int number = 0;
    for (String block : blocks(page, "json")) {
      JsonNode document = JSON.readTree(block);
      String base = engine.http() + "/v1/namespaces/" + page.replace(".md", "");
      if (document.has("trigger")) {
        put(base + "/schedules/s" + ++number, document);
      } else if (document.has("eventType")) {
        JsonNode events =
            JSON.createObjectNode().set("events", JSON.createArrayNode().add(document));
        send("curl -X POST " + base + "/events -d '" + events + "'", Map.of("api", ""));
      } else {
        assertThat(document.has("Statement") || document.has("ScheduleExpression")).isTrue();
      }
    }
  }

  /** Triggers and constraints that stand in tables. */
  @ParameterizedTest
  @MethodSource("pages")
  void eachTriggerAndConstraintIsAccepted(String page) throws Exception {
    Matcher inline = INLINE.matcher(Files.readString(GUIDES.resolve(page)));
    int number = 0;
    while (inline.find()) {
      JsonNode part = JSON.readTree(inline.group(1));
      boolean isConstraint = part.has("max");
      ObjectNode document = JSON.createObjectNode();
      document.set("target", JSON.readTree("{\"queue\": \"work\", \"template\": {}}"));
      document.set("trigger", isConstraint ? JSON.readTree("{\"type\": \"manual\"}") : part);
      if (isConstraint) {
        document.set("constraints", JSON.createArrayNode().add(part));
      }
      String base = engine.http() + "/v1/namespaces/in-" + page.replace(".md", "");
      put(base + "/schedules/s" + ++number, document);
    }
  }

  private static void put(String address, JsonNode document) throws Exception {
    HttpRequest request =
        HttpRequest.newBuilder(URI.create(address))
            .header("Content-Type", "application/json")
            .PUT(BodyPublishers.ofString(document.toString()))
            .build();
    HttpResponse<String> answer = HttpClient.newHttpClient().send(request, BodyHandlers.ofString());
    assertThat(answer.statusCode()).as(document + "\n" + answer.body()).isIn(200, 201);
  }

  @Test
  void thePythonWorkerReportsTheEndOfARun() throws Exception {
    assumeTrue(isThere("python3"), "python3 is not installed");
    String job = launch("python");
    String program =
        blocks("write-a-worker.md", "python").get(0).replace("/default\"", "/python\"");
    ProcessBuilder python = new ProcessBuilder("python3", "-c", program);
    python.environment().put("SQS_URL", engine.sqs().toString());
    python.environment().put("API_URL", engine.http().toString());
    Process worker = python.redirectErrorStream(true).start();
    try {
      awaitSuccess("python", job);
    } finally {
      worker.destroy();
      worker.waitFor();
    }
  }

  /** Stands in for the library boto3, which Lambda has and this machine need not have. */
  private static final String BOTO3 =
      """
      import json, os, urllib.request

      class Client:
          def send_message(self, **members):
              headers = {"Content-Type": "application/x-amz-json-1.0",
                         "X-Amz-Target": "AmazonSQS.SendMessage"}
              body = json.dumps(members).encode()
              urllib.request.urlopen(urllib.request.Request(os.environ["SQS_URL"], body, headers)).read()

      def client(service):
          assert service == "sqs"
          return Client()
      """;

  private static final String EVENT =
      """
      {"Records": [{"messageId": "m1", "body": "{}", "messageAttributes": {
        "carillon-job-id": {"stringValue": "%s"},
        "carillon-program": {"stringValue": "lambda/exporter"}}}]}
      """;

  @Test
  void theLambdaFunctionReportsTheEndOfARun(@TempDir Path library) throws Exception {
    assumeTrue(isThere("python3"), "python3 is not installed");
    String job = launch("lambda");
    awaitState("lambda", job, "ENQUEUED");
    Files.writeString(library.resolve("boto3.py"), BOTO3);
    String call = "\nimport sys\nprint(handler(json.loads(sys.argv[1]), None))\n";
    String program = blocks("write-a-worker.md", "python").get(1) + call;
    ProcessBuilder python = new ProcessBuilder("python3", "-c", program, EVENT.formatted(job));
    python.environment().put("PYTHONPATH", library.toString());
    python.environment().put("SQS_URL", engine.sqs().toString());
    python.environment().put("INGEST_QUEUE_URL", engine.ingestQueue().toString());
    Process function = python.redirectErrorStream(true).start();
    String printed = new String(function.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(function.waitFor()).as(printed).isZero();
    assertThat(printed.strip()).isEqualTo("{'batchItemFailures': []}");
    awaitSuccess("lambda", job);
  }

  private static boolean isThere(String program) throws InterruptedException {
    try {
      return new ProcessBuilder(program, "--version").start().waitFor() == 0;
    } catch (IOException missing) {
      return false;
    }
  }

  @Test
  void theJavaWorkerReportsTheEndOfARun() throws Exception {
    String job = launch("java");
    String queue = engine.sqs() + "/000000000000/carillon-target-java";
    Map<String, String> outcomes = new HashMap<>();
    try (SqsClient sqs =
        SqsClient.builder()
            .endpointOverride(engine.sqs())
            .region(Region.EU_WEST_1)
            .credentialsProvider(AnonymousCredentialsProvider.create())
            .build()) {
      while (outcomes.isEmpty()) {
        ExampleWorker.receive(
            sqs, queue, engine.ingestQueue().toString(), outcomes, request -> "SUCCEEDED");
      }
    }
    assertThat(outcomes).containsOnlyKeys(job);
    awaitSuccess("java", job);
  }

  private static String launch(String namespace) throws Exception {
    String queue = namespace.equals("java") ? "java" : "exports";
    String base = engine.http() + "/v1/namespaces/" + namespace;
    put(
        base + "/schedules/export",
        JSON.readTree(
            """
            {"program": "exporter", "trigger": {"type": "manual"}, "state": "ACTIVE",
             "constraints": [{"type": "concurrency", "max": 1}],
             "target": {"queue": "%s", "template": {"date": "${yesterdaysDate}"}}}
            """
                .formatted(queue)));
    HttpRequest request =
        HttpRequest.newBuilder(URI.create(base + "/schedules/export/launch"))
            .POST(BodyPublishers.noBody())
            .build();
    String answer = HttpClient.newHttpClient().send(request, BodyHandlers.ofString()).body();
    return JSON.readTree(answer).path("jobId").asText();
  }

  private static void awaitSuccess(String namespace, String job) throws Exception {
    awaitState(namespace, job, "SUCCEEDED");
  }

  private static void awaitState(String namespace, String job, String state) throws Exception {
    URI uri = URI.create(engine.http() + "/v1/namespaces/" + namespace + "/jobs/" + job);
    HttpRequest request = HttpRequest.newBuilder(uri).build();
    Awaiting.await(
        () -> {
          String answer = HttpClient.newHttpClient().send(request, BodyHandlers.ofString()).body();
          return JSON.readTree(answer).path("state").asText().equals(state);
        });
  }

  @Test
  void theGuideShowsTheJavaThatRuns() throws IOException {
    String code = Files.readString(Path.of("src/test/java/dev/carillon/guide/ExampleWorker.java"));
    String example = code.substring(code.indexOf("  // begin\n") + 11, code.indexOf("  // end"));
    assertThat(Files.readString(GUIDES.resolve("write-a-worker.md")))
        .contains("```java\n" + example.replaceAll("(?m)^ {2}", "") + "```");
  }

  @Test
  void productionNamesParametersOfTheTemplates() throws IOException {
    String page = Files.readString(GUIDES.resolve("production.md"));
    String templates =
        Files.readString(Path.of("../template.yaml"))
            + Files.readString(Path.of("../infrastructure/namespace-queue.yaml"));
    Matcher parameter = Pattern.compile("\\b([A-Z][A-Za-z]+)=").matcher(page);
    while (parameter.find()) {
      assertThat(templates).contains("\n  " + parameter.group(1) + ":\n    Type: ");
    }
  }

  @Test
  void monitoringNamesTheAlarmsOfTheTemplate() throws IOException {
    String page = Files.readString(Path.of("../docs/operate/monitoring.md"));
    Matcher alarm =
        Pattern.compile("AlarmName: !Sub \"\\$\\{Stack}-(\\w+)\"")
            .matcher(Files.readString(Path.of("../infrastructure/monitoring.yaml")));
    while (alarm.find()) {
      assertThat(page).contains("`" + alarm.group(1) + "`");
    }
  }

  @ParameterizedTest
  @MethodSource("pages")
  void noParagraphIsLong(String page) throws IOException {
    String text = FENCE.matcher(Files.readString(GUIDES.resolve(page))).replaceAll("");
    Stream<String> lines = text.lines().filter(line -> !line.startsWith("|"));
    assertThat(lines).allMatch(line -> line.length() <= LONGEST_PARAGRAPH);
  }

  @ParameterizedTest
  @MethodSource("pages")
  void linksLeadSomewhere(String page) throws IOException {
    Matcher link =
        Pattern.compile("\\]\\(([^)#:]+)(#[^)]*)?\\)")
            .matcher(Files.readString(GUIDES.resolve(page)));
    while (link.find()) {
      assertThat(GUIDES.resolve(link.group(1))).exists();
    }
  }

  private static List<String> blocks(String page, String language) throws IOException {
    List<String> found = new ArrayList<>();
    Matcher fence = FENCE.matcher(Files.readString(GUIDES.resolve(page)));
    while (fence.find()) {
      if (fence.group(1).equals(language)) {
        found.add(fence.group(2));
      }
    }
    return found;
  }
}
