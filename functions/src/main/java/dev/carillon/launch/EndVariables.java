package dev.carillon.launch;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.fasterxml.jackson.databind.node.TextNode;
import dev.carillon.job.Job;
import dev.carillon.job.JobState;
import dev.carillon.job.ReasonCode;
import dev.carillon.job.Transition;
import dev.carillon.run.Run;
import dev.carillon.schedule.Schedule;
import dev.carillon.template.JsonPath;
import dev.carillon.template.Template;
import dev.carillon.template.VariableName;
import org.jspecify.annotations.Nullable;

/**
 * The variables of a callback: those of the launch request, and how the job has ended. {@code
 * error} is the error text that the worker gave. If no worker reported the failure, it is the
 * reason of the end.
 */
final class EndVariables implements Template.Values {

  private final Variables others;
  private final Job job;

  EndVariables(Schedule schedule, Job job, JobTimes times) {
    this.others = new Variables(schedule, job, times);
    this.job = job;
  }

  @Override
  public Template.Scope scope() {
    return Template.Scope.END;
  }

  @Override
  public JsonNode value(String name) {
    String root = VariableName.root(name);
    return switch (root) {
      case VariableName.OUTCOME -> TextNode.valueOf(job.state().name());
      case VariableName.OUTPUT -> output(name.substring(root.length()));
      case VariableName.ERROR -> text(error());
      default -> others.value(name);
    };
  }

  private JsonNode output(String path) {
    Run run = job.run();
    JsonNode output = run == null ? null : run.output();
    return output == null
        ? MissingNode.getInstance()
        : JsonPath.parse(path).map(parsed -> parsed.in(output)).orElseGet(MissingNode::getInstance);
  }

  private @Nullable String error() {
    if (job.state() == JobState.SUCCEEDED || job.state() == JobState.LAUNCHED) {
      return null;
    }
    Transition end = job.transitions().get(job.transitions().size() - 1);
    boolean isReported = ReasonCode.FAILURE_REPORTED.name().equals(end.reasonCode());
    Run run = job.run();
    return isReported && run != null && run.error() != null ? run.error() : end.reasonText();
  }

  private static JsonNode text(@Nullable String text) {
    return text == null ? MissingNode.getInstance() : TextNode.valueOf(text);
  }
}
