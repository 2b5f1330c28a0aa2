// How the jobs of the last hours ended, failures first.

import { h } from "./library.js";
import { Instant } from "./time.js";
import { Row, State, Table, plural, toJob, toSchedule } from "./parts.js";

const FAILURES = ["FAILED", "TIMED_OUT"];
const OTHERS = ["CANCELLED", "SKIPPED", "SUCCEEDED", "LAUNCHED"];
const MOST_SHOWN = 10;

const isFailure = (end) => FAILURES.includes(end.state);

/** The ends of jobs since an instant: {job, state, at, reason}. */
export function endsOf(jobs, from) {
  return jobs
    .filter((job) => [...FAILURES, ...OTHERS].includes(job.state) && job.transitions.length > 0)
    .map((job) => ({ job, state: job.state, ...job.transitions[job.transitions.length - 1] }))
    .filter((end) => Date.parse(end.at) >= from);
}

function Counts({ of }) {
  const counted = [...FAILURES, ...OTHERS].map((state) => [state, of.filter((end) => end.state === state).length]);
  return h(Table, {
    label: "Jobs by end",
    heads: ["End", "Jobs"],
    empty: "No job ended.",
    rows: counted
      .filter(([, count]) => count > 0)
      .map(([state, count]) =>
        h(Row, { class: FAILURES.includes(state) ? "alarm" : "", cells: [h(State, { of: state }), String(count)] }),
      ),
  });
}

/** The counts by end, and the newest failures. */
export function Ended({ ns, of }) {
  const failures = of.filter(isFailure).sort((a, b) => Date.parse(b.at) - Date.parse(a.at));
  return [
    h(Counts, { of }),
    failures.length > 0 &&
      h(Table, {
        label: "Newest failures",
        heads: ["Job", "End", "Schedule", "Ended", "Reason"],
        rows: failures.slice(0, MOST_SHOWN).map(({ job, state, at, reason }) =>
          h(Row, {
            key: job.jobId,
            cells: [
              h("a", { href: toJob(ns, job.jobId), class: "id" }, job.jobId),
              h(State, { of: state }),
              h("a", { href: toSchedule(ns, job.schedule) }, job.schedule),
              h(Instant, { at }),
              reason || "",
            ],
          }),
        ),
      }),
    failures.length > MOST_SHOWN && h("p", { class: "hint" }, plural(failures.length - MOST_SHOWN, "older failure") + "."),
  ];
}
