// The unfinished jobs of a namespace, the jobs of a link, and the actions on many jobs.

import { h, Fragment, useRef, useState } from "./library.js";
import { call, get, path, throttled } from "./api.js";
import { Instant, instantOf } from "./time.js";
import { Ask, Dialog } from "./dialogs.js";
import { AsOf, usePages } from "./pages.js";
import { Facts, Fault, Field, Row, Section, State, Table, Title } from "./parts.js";
import { plural, to, toJob, toProgram, toSchedule } from "./parts.js";

const PAGE = 100;
const MOST_CALLS = 20;
const MOST_REFUSED = 20;

/** As many jobs as one request can change, because a stack admits one such request a second. */
const MOST_CHANGES = 1000;

const UNFINISHED = ["PENDING_TRIGGER", "PENDING_CONSTRAINT", "PENDING_LAUNCH", "READY", "ENQUEUED", "CLAIMED", "RUNNING", "RETRY_WAIT"];
const ENDED = ["LAUNCHED", "SUCCEEDED", "FAILED", "SKIPPED", "TIMED_OUT", "CANCELLED"];

/** The two actions on many jobs: their texts, and the states that can be selected. */
const ORDERS = {
  cancel: {
    title: "Cancel many jobs",
    verb: "Cancel",
    done: "cancelled",
    states: UNFINISHED.slice(1),
    any: "any that has not ended",
    text: "Waiting jobs end. The workers of running jobs are asked to stop.",
  },
  retry: {
    title: "Retry many jobs",
    verb: "Retry",
    done: "retried",
    states: ["CANCELLED", "TIMED_OUT"],
    any: "FAILED",
    text: "Each job that was tracked and launched gets one more attempt.",
  },
};

/** Loads pages, which can be short or empty, until there are enough jobs. A job can occur twice. */
async function loadJobs(ns, query, next, signal, seen) {
  const { state, customer, program, linkId } = query;
  const found = new Map();
  let cursor = next;
  let summary = null;
  for (let calls = 0; calls === 0 || (cursor && found.size < PAGE && calls < MOST_CALLS); calls++) {
    const asked = { state, customer, program, linkId, limit: PAGE, next: cursor };
    const page = await get(path("namespaces", ns, "jobs"), asked, signal);
    page.jobs.forEach((job) => found.set(job.jobId, job));
    summary = page.summary ?? summary;
    cursor = page.next ?? null;
    seen(found.size);
  }
  return { found: [...found.values()], next: cursor, summary };
}

function Options({ of, chosen, none }) {
  return ["", ...of].map((state) => h("option", { value: state, selected: state === chosen }, state || none));
}

function Filters({ ns, query }) {
  const apply = (event) => {
    event.preventDefault();
    location.hash = to([ns, "jobs"], Object.fromEntries(new FormData(event.target)));
  };
  const field = (name, label) =>
    h(Field, { label }, h("input", { name, defaultValue: query[name] || "", spellcheck: false }));
  return h(
    "form",
    { class: "filters", role: "search", onSubmit: apply, key: JSON.stringify(query) },
    h(
      Field,
      { label: "State" },
      h(
        "select",
        { name: "state" },
        h(Options, { of: query.linkId ? [...UNFINISHED, ...ENDED] : UNFINISHED, chosen: query.state || "", none: "any" }),
      ),
    ),
    field("customer", "Customer"),
    field("program", "Program"),
    field("linkId", "Link"),
    h("button", { type: "submit" }, "Filter"),
    h("a", { href: to([ns, "jobs"]) }, "Clear"),
  );
}

function JobRow({ ns, of }) {
  const last = of.transitions?.[of.transitions.length - 1];
  return h(Row, {
    cells: [
      h("a", { href: toJob(ns, of.jobId), class: "id" }, of.jobId),
      h(State, { of: of.state }),
      h("a", { href: toSchedule(ns, of.schedule) }, of.schedule),
      of.program ? h("a", { href: toProgram(ns, of.program) }, of.program) : "",
      of.customer ?? "",
      h(Instant, { at: of.scheduledFor }),
      [last && h(Instant, { at: last.at }), last?.reason && h("span", { class: "more" }, last.reason)],
    ],
  });
}

const counts = (of) =>
  Object.entries(of || {})
    .filter(([, count]) => count > 0)
    .map(([state, count]) => count + " " + state)
    .join(", ");

function LinkSummary({ of }) {
  return h(
    Section,
    { title: "All jobs of the link" },
    h(Facts, {
      of: [
        ["Jobs", counts(of.jobs) || "none"],
        ["Operations", counts(of.operations)],
      ],
    }),
    of.moreJobs && h("p", { class: "hint" }, "The link has further jobs, which are not counted."),
  );
}

/** The selection of the form, without members that have no value. */
function selectionOf(form) {
  const names = ["schedule", "program", "linkId", "state"];
  const given = names.map((name) => [name, form.get(name)?.trim()]).filter(([, value]) => value);
  const from = instantOf(form.get("from"));
  const until = instantOf(form.get("to"));
  return { ...Object.fromEntries(given), ...(from && { from }), ...(until && { to: until }) };
}

function Selection({ order, query }) {
  const field = (name, label) =>
    h(Field, { label }, h("input", { name, defaultValue: query[name] || "", spellcheck: false }));
  const chosen = order.states.includes(query.state) ? query.state : "";
  return h(
    Fragment,
    null,
    h("p", null, "Selects the jobs that match each field. Schedule, program or link is required. The next step counts the jobs; none is changed before that."),
    query.customer && h("p", { class: "notice" }, "The customer does not restrict this selection, because the API has no such member."),
    field("schedule", "Schedule"),
    field("program", "Program"),
    field("linkId", "Link"),
    h(Field, { label: "State" }, h("select", { name: "state" }, h(Options, { of: order.states, chosen, none: order.any }))),
    h(Field, { label: "Scheduled for, from" }, h("input", { name: "from", type: "datetime-local" })),
    h(Field, { label: "Scheduled for, before", hint: "In your time." }, h("input", { name: "to", type: "datetime-local" })),
  );
}

function Refused({ of }) {
  return (
    of.length > 0 &&
    h(
      Fragment,
      null,
      h("p", null, "Refused: " + of.length + (of.length > MOST_REFUSED ? "; the first " + MOST_REFUSED + ":" : ":")),
      h(
        "ul",
        null,
        of.slice(0, MOST_REFUSED).map((job) => h("li", null, h("span", { class: "id" }, job.jobId), " ", job.detail)),
      ),
    )
  );
}

/** Asks for the selection, then shows how many jobs a dry run counted, then shows the result. */
function Many({ ns, name, query, onClose, onDone }) {
  const order = ORDERS[name];
  const [selection, setSelection] = useState(null);
  const [counted, setCounted] = useState(null);
  const [outcome, setOutcome] = useState(null);
  const [progress, setProgress] = useState("");
  const end = useRef(new AbortController()).current;
  const close = () => {
    end.abort();
    onClose();
  };
  const all = async (body) => {
    const total = { matched: 0, changed: 0, refused: [] };
    let next = null;
    do {
      const route = path("namespaces", ns, "jobs", name);
      const request = { body, query: { limit: MOST_CHANGES, next } };
      const { body: part } = await throttled(() => call("POST", route, request), end.signal);
      total.matched += part.matched;
      total.changed += part[order.done] ?? 0;
      total.refused.push(...part.refused);
      next = part.next ?? null;
      setProgress(plural(total.matched, "job") + " so far…");
    } while (next && !end.signal.aborted);
    setProgress("");
    return total;
  };
  const count = async (form) => {
    const chosen = selectionOf(form);
    setCounted((await all({ ...chosen, dryRun: true })).matched);
    setSelection(chosen);
  };
  const run = async () => {
    const total = await all({ ...selection, dryRun: false });
    onDone(total.changed + " of " + plural(total.matched, "job") + " " + order.done + ".");
    setOutcome(total);
  };
  const status = h("p", { role: "status", class: progress ? "hint" : "unseen" }, progress);
  if (outcome) {
    return h(
      Dialog,
      { key: "end", title: outcome.changed + " of " + plural(outcome.matched, "job") + " " + order.done, onClose: close },
      h(Refused, { of: outcome.refused }),
      h("p", { class: "buttons" }, h("button", { type: "button", onClick: close }, "Close")),
    );
  }
  if (!selection) {
    return h(
      Ask,
      { key: "selection", title: order.title, action: "Count the jobs", run: count, onDone: () => {}, onClose: close },
      h(Selection, { order, query }),
      status,
    );
  }
  if (counted === 0) {
    return h(
      Dialog,
      { key: "none", title: "No job matches", onClose: close },
      h("p", { class: "buttons" }, h("button", { type: "button", onClick: close }, "Close")),
    );
  }
  const action = order.verb + " " + plural(counted, "job");
  return h(
    Ask,
    { key: "run", title: action + "?", action, danger: name === "cancel", run, onDone: () => {}, onClose: close },
    h("p", null, order.text),
    h(Facts, { of: Object.entries(selection) }),
    status,
  );
}

function progressOf(list) {
  if (list.busy) {
    return list.read ? plural(list.read, "job") + " read…" : "Loading…";
  }
  return plural(list.items.length, "job") + (list.next ? " so far." : ".");
}

export function JobList({ ns, query }) {
  const load = (next, signal, seen) => loadJobs(ns, query, next, signal, seen);
  const list = usePages(load, JSON.stringify([ns, query]));
  const [open, setOpen] = useState(null);
  const [said, setSaid] = useState("");
  const done = (text) => {
    setSaid(text);
    list.reload();
  };
  const order = (name) =>
    h("button", { type: "button", class: name === "cancel" ? "danger" : "plain", onClick: () => setOpen(name) }, ORDERS[name].title);
  return h(
    Fragment,
    null,
    h(Title, { kind: ns + " /" }, "Jobs"),
    h("p", { class: "hint" }, query.linkId ? "All jobs of the link, ended or not." : "Unfinished jobs: first the waiting jobs, then the running jobs."),
    h(Filters, { ns, query }),
    h("p", { class: "buttons" }, order("retry"), order("cancel")),
    h("p", { role: "status", class: said ? "said" : "unseen" }, said),
    open && h(Many, { key: open, ns, name: open, query, onClose: () => setOpen(null), onDone: done }),
    h(Fault, { of: list.fault }),
    list.summary && h(LinkSummary, { of: list.summary }),
    h("p", { role: "status", class: "hint" }, !list.fault && progressOf(list)),
    h(AsOf, { of: list }),
    (list.items.length > 0 || (!list.busy && !list.fault)) &&
      h(Table, {
        label: "Jobs of the namespace",
        heads: ["Job", "State", "Schedule", "Program", "Customer", "Scheduled for", "Last change"],
        empty: query.linkId ? "No job has this link." : "No job waits or runs.",
        rows: list.items.map((of) => h(JobRow, { key: of.jobId, ns, of })),
      }),
    list.next && h("button", { type: "button", class: "plain", disabled: list.busy, onClick: list.more }, "Load more"),
  );
}
