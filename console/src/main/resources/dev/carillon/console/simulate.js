// A scenario on a virtual clock, and its jobs.

import { h, Fragment, useRef, useState } from "./library.js";
import { Refusal, post } from "./api.js";
import { Instant, ZONE, dayAndClock, local } from "./time.js";
import { useScenarioSchema } from "./completion.js";
import { Faults, Source, located } from "./editor.js";
import { Fault, Row, Section, State, Table, Title, plural } from "./parts.js";

const MOST_ROWS = 500;
const MOST_BARS = 2000;
const STORE = "scenario";

const EXAMPLE = {
  from: "2026-03-01T00:00:00Z",
  to: "2026-03-02T00:00:00Z",
  schedules: {
    "default/every-six-hours": {
      program: "exporter",
      trigger: { type: "cron", expression: "0 0 0/6 * * ?" },
      constraints: [{ type: "concurrency", max: 1 }],
      target: { queue: "exports", template: { hour: "${startOfHour}" } },
    },
    "default/after-it": {
      trigger: { type: "programStatus", program: "exporter", statuses: ["SUCCEEDED"] },
      target: { queue: "reports", template: {} },
    },
  },
  programs: { "default/exporter": { runsFor: "PT90M", outcome: "SUCCEEDED" } },
  steps: [{ at: "2026-03-01T05:30:00Z", outage: "PT2H" }],
};

const ROW = 26;
const TOP = 24;

/** The parts of a job between its transitions. A final state is drawn as a short part. */
function barsOf(job, scale) {
  const steps = job.transitions;
  return steps.map((step, index) => {
    const begin = scale(Date.parse(step.at));
    const end = steps[index + 1] ? scale(Date.parse(steps[index + 1].at)) : begin;
    return { state: step.state, x: begin + "%", width: Math.max(end - begin, 0.4) + "%" };
  });
}

function Bar({ bar, y, job }) {
  return h(
    "rect",
    { x: bar.x, y: y + 4, width: bar.width, height: ROW - 8, rx: 2, "data-state": bar.state },
    h("title", null, [job.schedule, job.scheduledFor && local(job.scheduledFor), bar.state].filter(Boolean).join(" ")),
  );
}

function Hours({ from, to, scale, height }) {
  const marks = Array.from({ length: 7 }, (_, index) => from + ((to - from) * index) / 6);
  return marks.map((at, index) =>
    h(
      Fragment,
      null,
      h("line", { x1: scale(at) + "%", x2: scale(at) + "%", y1: TOP, y2: height }),
      h(
        "text",
        { x: scale(at) + "%", y: 14, "text-anchor": index === 0 ? "start" : index === 6 ? "end" : "middle" },
        dayAndClock(at),
      ),
    ),
  );
}

/** One row for each schedule, one bar for each state of a job. */
function TimeLine({ jobs, scenario }) {
  const from = Date.parse(scenario.from);
  const to = Date.parse(scenario.to);
  const scale = (at) => ((at - from) / (to - from)) * 100;
  const rows = [...new Set(jobs.map((job) => job.schedule))].sort();
  const height = TOP + rows.length * ROW;
  const label = plural(jobs.length, "job") + " of " + plural(rows.length, "schedule") + "; the table below names them";
  return h(
    "div",
    { class: "timeline" },
    h("ul", { "aria-hidden": "true" }, rows.map((row) => h("li", null, row))),
    h(
      "svg",
      { height, role: "img", "aria-label": label },
      h(Hours, { from, to, scale, height }),
      jobs.slice(0, MOST_BARS).map((job) => {
        const y = TOP + rows.indexOf(job.schedule) * ROW;
        return barsOf(job, scale).map((bar) => h(Bar, { bar, y, job }));
      }),
    ),
  );
}

function Outcome({ jobs, scenario }) {
  return [
    h(
      Section,
      { title: plural(jobs.length, "job"), hint: "In your time, " + ZONE + "." },
      jobs.length > 0 && h(TimeLine, { jobs, scenario }),
      jobs.length > MOST_ROWS && h("p", { class: "hint" }, "The first " + MOST_ROWS + " of " + jobs.length + "."),
      h(Table, {
        label: "Jobs of the simulation",
        heads: ["Schedule", "Scheduled for", "State", "Launches", "States"],
        empty: "The scenario makes no job.",
        rows: jobs.slice(0, MOST_ROWS).map((job) =>
          h(Row, {
            cells: [
              job.schedule,
              h(Instant, { at: job.scheduledFor, far: false }),
              h(State, { of: job.state }),
              String(job.launches.length),
              job.transitions.map((step) =>
                h("div", null, h(Instant, { at: step.at, far: false }), " " + step.state + (step.reason ? " (" + step.reason + ")" : "")),
              ),
            ],
          }),
        ),
      }),
    ),
  ];
}

export function Simulate() {
  const [source, setSource] = useState(
    () => sessionStorage.getItem(STORE) || JSON.stringify(EXAMPLE, null, 2) + "\n",
  );
  const [state, setState] = useState({ busy: false, faults: [], fault: null, outcome: null });
  const field = useRef(null);
  const schema = useScenarioSchema();
  const typed = (value) => {
    sessionStorage.setItem(STORE, value);
    setSource(value);
    setState((before) => ({ ...before, faults: [], fault: null }));
  };
  const run = async (event) => {
    event.preventDefault();
    setState({ busy: true, faults: [], fault: null, outcome: null });
    try {
      const scenario = JSON.parse(source);
      const { jobs } = await post("simulate", source);
      setState({ busy: false, faults: [], fault: null, outcome: { jobs, scenario } });
    } catch (fault) {
      const faults = fault instanceof Refusal ? located(source, fault.errors) : [];
      setState({ busy: false, faults, fault, outcome: null });
    }
  };
  return h(
    Fragment,
    null,
    h(Title, null, "Simulate"),
    h("p", { class: "hint" }, "Schedules, events and outages on a virtual clock. Nothing is stored or sent."),
    h(
      "form",
      { onSubmit: run },
      h(Source, { label: "Scenario", value: source, onInput: typed, faults: state.faults, field, schema }),
      state.faults.length > 0 && h(Faults, { source, of: state.faults, field }),
      h(Fault, { of: state.faults.length ? null : state.fault }),
      h("p", { class: "buttons" }, h("button", { type: "submit", disabled: state.busy }, state.busy ? "Runs…" : "Run")),
    ),
    state.outcome && h(Outcome, state.outcome),
  );
}
