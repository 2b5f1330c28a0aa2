package dev.carillon.report;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import dev.carillon.document.Bounds;
import dev.carillon.document.Fault;
import dev.carillon.document.Faults;
import dev.carillon.document.Fields;
import dev.carillon.document.Json;
import dev.carillon.document.TextForm;
import dev.carillon.id.JobId;
import dev.carillon.report.ReportReader.Kind;
import dev.carillon.report.ReportReader.Read;
import dev.carillon.run.Report;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * A message of the report queue: a report, its kind, and the job that it concerns.
 *
 * <pre>
 * {"report": "succeed", "namespace": "team", "jobId": "…", "claimToken": "…", "output": …}
 * </pre>
 */
record QueuedReport(JobId job, Report report) {

  private static final List<String> ADDRESS = List.of("report", "namespace", "jobId");
  private static final List<String> KINDS = Arrays.stream(Kind.values()).map(Kind::word).toList();
  private static final TextForm JOB_ID = TextForm.line(512);

  /** The result of reading a message. */
  sealed interface Parsed {}

  /** The message is a report. */
  record Valid(QueuedReport report) implements Parsed {}

  /** The message can never be processed. */
  record Invalid(String reason) implements Parsed {}

  static Parsed parse(String body) {
    JsonNode document;
    try {
      document = Json.read(body);
    } catch (JsonProcessingException damaged) {
      return new Invalid("the message is not valid JSON: " + damaged.getOriginalMessage());
    }
    Faults faults = new Faults();
    Bounds.checkContent(document, "", faults);
    Fields fields = Fields.of(document, "", faults);
    Optional<Kind> kind = kind(fields);
    kind.ifPresent(known -> fields.allowOnly(members(known)));
    String namespace = fields.text("namespace", TextForm.NAMESPACE);
    String id = fields.text("jobId", JOB_ID);
    Read read = ReportReader.read(kind.orElse(Kind.HEARTBEAT), fields);
    if (!faults.none()) {
      return new Invalid(text(faults));
    }
    if (read.tooLarge() != null) {
      return new Invalid(read.tooLarge().text());
    }
    return job(namespace, id)
        .<Parsed>map(job -> new Valid(new QueuedReport(job, read.report())))
        .orElseGet(() -> new Invalid(unknown(namespace, id)));
  }

  /** Why a report about a job that is not stored is rejected. */
  static String unknown(String namespace, String jobId) {
    return "there is no job %s in namespace %s; give both as the launch request has them"
        .formatted(jobId, namespace);
  }

  private static Optional<Kind> kind(Fields fields) {
    return fields
        .choice("report", KINDS)
        .flatMap(
            word -> Arrays.stream(Kind.values()).filter(it -> it.word().equals(word)).findAny());
  }

  private static List<String> members(Kind kind) {
    List<String> members = new ArrayList<>(ADDRESS);
    members.addAll(kind.members());
    return members;
  }

  private static Optional<JobId> job(String namespace, String id) {
    try {
      return Optional.of(JobId.parse(id))
          .filter(job -> job.schedule().namespace().equals(namespace));
    } catch (IllegalArgumentException noJobId) {
      return Optional.empty();
    }
  }

  private static String text(Faults faults) {
    return faults.found().stream()
        .map(QueuedReport::text)
        .collect(Collectors.joining("; ", "the report is not valid: ", ""));
  }

  private static String text(Fault fault) {
    return fault.pointer().isEmpty() ? fault.detail() : fault.pointer() + ": " + fault.detail();
  }
}
