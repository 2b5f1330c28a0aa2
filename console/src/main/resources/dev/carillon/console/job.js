// One job: its state, why it waits, and its history.

import { h, Fragment, useState } from "./library.js";
import { get, path, post, useData } from "./api.js";
import { Instant } from "./time.js";
import { text, withExact } from "./json.js";
import { Ask } from "./dialogs.js";
import { JobRequest } from "./request.js";
import { Leaves } from "./schedule.js";
import { Facts, Loaded, Row, Section, State, Table, Title, to, toJob, toProgram, toSchedule } from "./parts.js";

const ENDED = ["LAUNCHED", "SUCCEEDED", "FAILED", "SKIPPED", "TIMED_OUT", "CANCELLED"];
const RETRIABLE = ["FAILED", "CANCELLED", "TIMED_OUT"];

function Value({ title, of }) {
  return of === null || of === undefined
    ? null
    : h(Section, { title }, h("pre", { class: "json", tabIndex: 0 }, text(of)));
}

function Header({ ns, job }) {
  return h(Facts, {
    of: [
      ["State", h(State, { of: job.state })],
      ["Schedule", h("a", { href: toSchedule(ns, job.schedule) }, job.schedule)],
      ["Program", job.program && h("a", { href: toProgram(ns, job.program) }, job.program)],
      ["Scheduled for", job.scheduledFor && h(Instant, { at: job.scheduledFor })],
      ["Triggered", job.triggeredAt && h(Instant, { at: job.triggeredAt })],
      ["Launched", job.launchedAt && h(Instant, { at: job.launchedAt })],
      ["Attempt", job.attempt && String(job.attempt)],
      ["Worker", job.worker],
      ["Customer", job.customer && h("a", { href: to([ns, "jobs"], { customer: job.customer }) }, job.customer)],
      ["Link", job.linkId && h("a", { href: to([ns, "jobs"], { linkId: job.linkId }) }, job.linkId)],
      ["Priority", job.priority === undefined ? undefined : String(job.priority)],
      ["Generation", String(job.generation)],
    ],
  });
}

/** The states in order, as a line of steps. */
function StateLine({ of }) {
  return h(
    "ol",
    { class: "steps", "aria-label": "States" },
    of.map((step, index) =>
      h("li", { key: index }, h(State, { of: step.state }), h(Instant, { at: step.at, far: false })),
    ),
  );
}

function Gate({ ns, of }) {
  const job = (id) => h("a", { class: "id", href: toJob(ns, id) }, id);
  return h(
    "div",
    { class: "gate" },
    h("h3", null, of.gate),
    h(Facts, {
      of: [
        ["Place", of.place && of.place + " of " + of.waiting],
        ["Holding", String(of.holding)],
        ["Waiting", String(of.waiting)],
        ["Value", of.value],
        ["Checked next", of.nextCheckAt && h(Instant, { at: of.nextCheckAt })],
        ["Last success", of.lastSuccess && h(Instant, { at: of.lastSuccess })],
      ],
    }),
    of.holders.length > 0 &&
      h(Table, {
        label: "Jobs that hold " + of.gate,
        heads: ["Held by", "Since", "Report due"],
        rows: of.holders.map((holder) =>
          h(Row, {
            cells: [
              job(holder.jobId),
              h(Instant, { at: holder.since }),
              holder.until ? h(Instant, { at: holder.until }) : "",
            ],
          }),
        ),
      }),
    of.firstWaiting.length > 0 &&
      h(Table, {
        label: "Jobs that wait for " + of.gate,
        heads: ["Waits", "Priority", "Since"],
        rows: of.firstWaiting
          .slice(0, 10)
          .map((waiting) =>
            h(Row, { cells: [job(waiting.jobId), waiting.priority, h(Instant, { at: waiting.since })] }),
          ),
      }),
  );
}

export function Gates({ ns, of }) {
  return of.map((gate) => h(Gate, { key: gate.gate, ns, of: gate }));
}

function Why({ ns, explanation }) {
  return h(
    Fragment,
    null,
    h("p", { class: "lead" }, explanation.summary),
    explanation.waitsBecause &&
      h("div", { class: "notice" }, h("strong", null, "It waits because"), h("p", null, explanation.waitsBecause)),
    h(Facts, {
      of: [
        ["Checked next", explanation.nextCheckAt && h(Instant, { at: explanation.nextCheckAt })],
        [
          "Times out",
          explanation.timesOut && [explanation.timesOut.action + " ", h(Instant, { at: explanation.timesOut.at })],
        ],
        ["Ready operations", explanation.readyOperations?.join(", ")],
        ["Refusals of the queue", explanation.launch?.refusals || null],
      ],
    }),
    explanation.unmetConstraints.length > 0 &&
      h(
        "ul",
        null,
        explanation.unmetConstraints.map((unmet) =>
          h("li", null, unmet.reason, unmet.opensAt && [", opens ", h(Instant, { at: unmet.opensAt })]),
        ),
      ),
    h(Gates, { ns, of: explanation.gates }),
  );
}

/** The conditions of its trigger with their counts, and the events that they counted. */
function Trigger({ of, exact }) {
  return (
    of &&
    h(
      Section,
      { title: "Trigger" },
      h(Leaves, { of: of.leaves }),
      h(Table, {
        label: "Events",
        heads: ["Happened", "Type", "Event", "Payload"],
        empty: "It counted no event.",
        rows: of.events.map((event, index) =>
          h(Row, {
            key: event.id,
            cells: [
              h(Instant, { at: new Date(event.timestamp).toISOString() }),
              event.eventType,
              h("span", { class: "id" }, event.id),
              h("details", null, h("summary", null, "payload"), h("pre", { class: "json", tabIndex: 0 }, text(exact.events[index].payload))),
            ],
          }),
        ),
      }),
      of.eventsOmitted > 0 && h("p", { class: "hint" }, "Other events that it counted: " + of.eventsOmitted + "."),
    )
  );
}

function Attempts({ of }) {
  return of?.length
    ? h(
        Section,
        { title: "Attempts" },
        h(Table, {
          label: "Attempts",
          heads: ["Attempt", "Worker", "Claimed", "Started", "Ended", "End"],
          rows: of.map((attempt) =>
            h(Row, {
              cells: [
                attempt.attempt,
                attempt.worker ?? "–",
                h(Instant, { at: attempt.claimedAt, far: false }),
                h(Instant, { at: attempt.startedAt, far: false }),
                h(Instant, { at: attempt.endedAt, far: false }),
                attempt.end ?? "",
              ],
            }),
          ),
        }),
      )
    : null;
}

function Operations({ of }) {
  return of?.length
    ? h(
        Section,
        { title: "Operations" },
        h(Table, {
          label: "Operations",
          heads: ["Operation", "Type", "State", "After"],
          rows: of.map((operation) =>
            h(Row, {
              cells: [
                operation.id,
                operation.type || "",
                h(State, { of: operation.state }),
                (operation.after || []).join(", "),
              ],
            }),
          ),
        }),
      )
    : null;
}

function Transitions({ of }) {
  return h(
    Section,
    { title: "Transitions" },
    h(Table, {
      label: "Transitions",
      heads: ["At", "State", "Reason", "Code"],
      rows: of.map((step) =>
        h(Row, {
          cells: [
            h(Instant, { at: step.at }),
            h(State, { of: step.state }),
            step.reason || "",
            step.reasonCode ? h("code", null, step.reasonCode) : "",
          ],
        }),
      ),
    }),
  );
}

function JobActions({ route, job, onDone }) {
  const [open, setOpen] = useState(null);
  const close = () => setOpen(null);
  const texts = {
    cancel: ["Cancel this job?", "Cancel the job", "A waiting job ends. The worker of a running job is asked to stop."],
    retry: ["Retry this job?", "Retry", "Launches one more attempt of it."],
  };
  const button = (name, text, danger) =>
    h("button", { type: "button", class: danger ? "danger" : "", onClick: () => setOpen(name) }, text);
  const run = async () => "The job is now " + (await post(route + "/" + open)).state + ".";
  const done = (text) => {
    close();
    onDone(text);
  };
  return h(
    Fragment,
    null,
    h(
      "p",
      { class: "buttons" },
      !ENDED.includes(job.state) && button("cancel", "Cancel", true),
      RETRIABLE.includes(job.state) && job.attempts && button("retry", "Retry"),
    ),
    open &&
      h(
        Ask,
        {
          title: texts[open][0],
          action: texts[open][1],
          danger: open === "cancel",
          run,
          onDone: done,
          onClose: close,
        },
        h("p", null, texts[open][2]),
      ),
  );
}

export function Job({ ns, name }) {
  const route = path("namespaces", ns, "jobs", name);
  const job = useData((signal) => get(route, {}, signal, withExact), route);
  const explanation = useData((signal) => get(route + "/explain", {}, signal, withExact), route + "/explain");
  const [said, setSaid] = useState("");
  const done = (text) => {
    setSaid(text);
    job.reload();
    explanation.reload();
  };
  return h(
    Fragment,
    null,
    h(Title, { kind: "Job" }, h("span", { class: "id" }, name)),
    h(Loaded, { from: job }, (of) => [
      h(StateLine, { of: of.transitions }),
      h(Header, { ns, job: of }),
      h(JobActions, { route, job: of, onDone: done }),
      h("p", { role: "status", class: said ? "said" : "unseen" }, said),
      h(
        Section,
        { title: "Why it is so" },
        h(Loaded, { from: explanation }, (why) => h(Why, { ns, explanation: why })),
      ),
      h(Trigger, { of: explanation.data?.trigger, exact: explanation.data?.exact.trigger }),
      h(Value, { title: "Error", of: of.exact.error }),
      h(Value, { title: "Output", of: of.exact.output }),
      h(Value, { title: "Progress", of: of.exact.progress }),
      h(Operations, { of: of.operations }),
      h(Attempts, { of: of.attempts }),
      h(JobRequest, { ns, job: of }),
      h(Transitions, { of: of.transitions }),
    ]),
  );
}
