// One schedule: the explanation of its state, its next fires, its jobs and its actions.

import { h, Fragment, useEffect, useState } from "./library.js";
import { call, get, path, useData } from "./api.js";
import { Instant, ZONE } from "./time.js";
import { Json, withExact } from "./json.js";
import { Actions, BackfillState } from "./actions.js";
import { ComingWeek } from "./fireline.js";
import { Pages, useRoute } from "./pages.js";
import { Facts, Fault, Jobs, Loaded, Row, Section, State, Table, Title, bare } from "./parts.js";
import { toProgram, toJob } from "./parts.js";

const FIRES = 20;

const DST = {
  gap: "moved: the clocks skip its time",
  overlap: "its time comes twice that day",
};

function Suspended({ of }) {
  return (
    of &&
    h(
      "div",
      { class: "notice" },
      h("strong", null, "Suspended, " + of.mode),
      h(Facts, {
        of: [
          ["Reason", of.reason],
          ["Since", h(Instant, { at: of.at })],
          ["Until", of.until ? h(Instant, { at: of.until }) : "a caller resumes it"],
          ["By", of.by],
        ],
      }),
    )
  );
}

export function Leaves({ of }) {
  return h(
    "ul",
    { class: "leaves" },
    of.map((leaf) =>
      h(
        "li",
        { key: leaf.leaf },
        h("span", null, leaf.type || "condition", " ", leaf.keys.map((key) => h("code", null, key))),
        h("progress", {
          max: Math.max(leaf.need, 1),
          value: Math.min(leaf.have, leaf.need),
          "aria-label": "condition " + leaf.leaf,
        }),
        h("span", null, leaf.have + " of " + leaf.need + (leaf.satisfied ? ", satisfied" : "")),
      ),
    ),
  );
}

function Collecting({ ns, of }) {
  return (
    of &&
    h(
      Section,
      { title: "What it has collected" },
      h(
        "p",
        null,
        "Job ",
        h("a", { href: toJob(ns, of.jobId) }, of.jobId),
        " since ",
        h(Instant, { at: of.since }),
        of.willBeCancelled && "; it will be cancelled, because its schedule changed",
      ),
      of.timesOut && h("p", null, "Then ", of.timesOut.action, ": ", h(Instant, { at: of.timesOut.at })),
      h(Leaves, { of: of.leaves }),
    )
  );
}

export function Limits({ of }) {
  return h(Table, {
    label: "Limits",
    heads: ["Limit", "Bound", "Now", "Open", "Why not", "Opens"],
    rows: of.map((limit) =>
      h(Row, {
        class: limit.open ? "" : "alarm",
        cells: [
          limit.gate,
          limit.bound ?? limit.duration,
          limit.now ?? "",
          limit.open ? "yes" : "no",
          limit.reason || "",
          h(Instant, { at: limit.opensAt, none: "" }),
        ],
      }),
    ),
  });
}

function Why({ ns, explanation }) {
  return h(
    Fragment,
    null,
    h("p", { class: "lead" }, explanation.trigger, ". Now ", explanation.summary, "."),
    h(Suspended, { of: explanation.suspended }),
    explanation.waitsBecause &&
      h(
        "div",
        { class: "notice" },
        h("strong", null, "Its newest waiting job waits"),
        h("p", null, explanation.waitsBecause),
      ),
    explanation.elapses && h("p", null, "Elapses ", h(Instant, { at: explanation.elapses })),
    explanation.excluded?.missing.length > 0 &&
      h("p", { class: "notice" }, "Missing calendars: " + explanation.excluded.missing.join(", ")),
    explanation.limits.length > 0 &&
      h(Section, { title: "Limits" }, h(Limits, { of: explanation.limits })),
    h(Collecting, { ns, of: explanation.collecting }),
  );
}

/** The fires, with the next excluded fire among them, in order of time. */
function withExcluded(fires, excluded) {
  const next = excluded?.nextFire;
  const marked = next ? [{ scheduledFor: next.at, excludedBy: next.by }, ...fires] : [...fires];
  return marked.sort((a, b) => Date.parse(a.scheduledFor) - Date.parse(b.scheduledFor));
}

function mark(fire) {
  if (fire.excludedBy) {
    return h("span", { class: "mark" }, "excluded by " + fire.excludedBy.join(", "));
  }
  return fire.dst ? h("span", { class: "mark" }, DST[fire.dst] || fire.dst) : "";
}

function Request({ of }) {
  return of
    ? h(
        "details",
        null,
        h("summary", null, "request"),
        h("pre", { class: "json", tabIndex: 0 }, of.body),
        h(Facts, { of: Object.entries(of.attributes || {}) }),
      )
    : "";
}

export function Fires({ fires, excluded, label = "Coming fires" }) {
  return h(Table, {
    label,
    heads: ["Your time, " + ZONE, "Its own time", "Note", "Sends"],
    empty: "No fires are due without an event or a call.",
    rows: withExcluded(fires, excluded).map((fire) =>
      h(Row, {
        key: fire.scheduledFor,
        class: fire.excludedBy ? "excluded" : "",
        cells: [
          h(Instant, { at: fire.scheduledFor }),
          fire.local?.replace("T", " ").replace(".000", "") || "",
          mark(fire),
          h(Request, { of: fire.request }),
        ],
      }),
    ),
  });
}

function JobList({ ns, name, changes }) {
  const list = useRoute(path("namespaces", ns, "schedules", name, "jobs"), "jobs");
  useEffect(() => {
    if (changes > 0) {
      list.reload();
    }
  }, [changes]);
  return h(
    Section,
    { title: "Jobs" },
    h(Pages, { of: list, more: "Load more jobs" }, (jobs) => h(Jobs, { ns, jobs, time: Instant })),
  );
}

function Header({ ns, stored }) {
  const { schedule } = stored;
  const program = bare(schedule.program || stored.name);
  return h(Facts, {
    of: [
      ["State", h(State, { of: stored.state })],
      ["Next fire", stored.nextFire && h(Instant, { at: stored.nextFire })],
      ["Program", h("a", { href: toProgram(ns, program) }, program)],
      ["App", schedule.app],
      ["Generation", String(stored.generation)],
      ["Changed", h(Instant, { at: stored.updatedAt })],
      ["Created by", stored.createdBy],
    ],
  });
}

export function Schedule({ ns, name }) {
  const route = path("namespaces", ns, "schedules", name);
  const part = (suffix, query) => (signal) => get(route + suffix, query, signal);
  const stored = useData((signal) => call("GET", route, { signal, parse: withExact }), route);
  const explanation = useData(part("/explain"), route + "/explain");
  const preview = useData(part("/preview", { count: FIRES }), route + "/preview");
  const [said, setSaid] = useState("");
  const [backfill, setBackfill] = useState(null);
  const [changes, setChanges] = useState(0);
  const done = (text) => {
    setSaid(text);
    setChanges((count) => count + 1);
    [stored, explanation, preview].forEach((data) => data.reload());
  };
  return h(
    Fragment,
    null,
    h(Title, { kind: ns + " /" }, name),
    h(Loaded, { from: stored }, ({ body, etag }) => [
      body.schedule.description && h("p", { class: "lead" }, body.schedule.description),
      h(Header, { ns, stored: body }),
      h(Actions, { ns, stored: body, etag, onDone: done, onBackfill: setBackfill }),
      h("p", { role: "status", class: said ? "said" : "unseen" }, said),
      backfill && h(BackfillState, { route, id: backfill }),
      h(
        Section,
        { title: "Why it is so" },
        h(Loaded, { from: explanation }, (of) => h(Why, { ns, explanation: of })),
      ),
      h(ComingWeek, { ns, stored: body }),
      h(
        Section,
        { title: "Coming fires" },
        h(Fault, { of: preview.error }),
        preview.data &&
          h(Fires, { fires: preview.data.fires, excluded: explanation.data?.excluded }),
      ),
      h(JobList, { ns, name, changes }),
      h(Section, { title: "Document" }, h(Json, { of: body.exact.schedule, label: "Document" })),
    ]),
  );
}
