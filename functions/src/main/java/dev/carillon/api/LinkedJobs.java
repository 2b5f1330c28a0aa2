package dev.carillon.api;

import dev.carillon.id.JobId;
import dev.carillon.id.Page;
import org.jspecify.annotations.Nullable;

/** The jobs with a link, ended or not. The place after a job is the id of that job. */
record LinkedJobs(JobSources sources, String namespace, String linkId) implements JobSource {

  @Override
  public Page<Found> read(@Nullable String from) {
    JobId last = from == null ? null : JobId.parse(from);
    Page<JobId> page = sources.lists().linked(namespace, linkId, AT_ONCE, last);
    return sources.found(page, "", job -> linkId.equals(job.linkId()));
  }

  @Override
  public boolean isPlace(String text) {
    return JobSource.isParsed(text, JobId::parse);
  }
}
