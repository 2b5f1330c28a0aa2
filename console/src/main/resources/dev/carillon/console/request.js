// The request of a job, rendered again, because the API keeps no sent requests.

import { h } from "./library.js";
import { Refusal, get, path, useData } from "./api.js";
import { Json, exactOrText, withExact } from "./json.js";
import { Facts, Loaded, Section } from "./parts.js";

/** The preview of the job's fire; without a fire, the template of the stored document. */
async function requestOf(ns, job, signal) {
  const route = path("namespaces", ns, "schedules", job.schedule);
  try {
    const stored = await get(route, {}, signal, withExact);
    const known = { isOther: stored.generation !== job.generation, generation: stored.generation };
    const fire = job.scheduledFor && (await fireOf(route, job, signal));
    const isFire = fire?.request.attributes["carillon-job-id"] === job.jobId;
    return isFire
      ? { ...known, request: fire.request }
      : { ...known, target: stored.schedule.target, template: stored.exact.schedule.target.template };
  } catch (fault) {
    if (fault instanceof Refusal && fault.status === 404) {
      return { isDeleted: true };
    }
    throw fault;
  }
}

async function fireOf(route, job, signal) {
  const from = new Date(Date.parse(job.scheduledFor) - 1).toISOString();
  const { fires } = await get(route + "/preview", { from, count: 1 }, signal);
  return fires.find((fire) => fire.scheduledFor === job.scheduledFor && fire.request);
}

function originOf({ request, isOther, generation }) {
  const other = isOther ? " The stored document, of generation " + generation + ", is not the one of this job, so the request can differ." : "";
  return request
    ? "Rendered now, by the preview of the stored document, as the first attempt." + other
    : "The template of the stored document, not rendered: only fires of cron, rate and at have previews, and the API keeps no sent requests." + other;
}

function Content({ of }) {
  if (of.isDeleted) {
    return h("p", { class: "hint" }, "The schedule is deleted, and the API keeps no sent requests.");
  }
  const { request, target, template } = of;
  return [
    h("p", { class: "hint" }, originOf(of)),
    request
      ? h(Json, { of: exactOrText(request.body), label: "Body of the request" })
      : h(Json, { of: template, label: "Template of the request" }),
    h(Facts, { of: Object.entries(request?.attributes ?? target.attributes ?? {}).concat([["Queue", target?.queue]]) }),
  ];
}

export function JobRequest({ ns, job }) {
  const key = JSON.stringify([ns, job.jobId]);
  const loaded = useData((signal) => requestOf(ns, job, signal), key, { poll: false });
  return h(Section, { title: "Request" }, h(Loaded, { from: loaded }, (of) => h(Content, { of })));
}
