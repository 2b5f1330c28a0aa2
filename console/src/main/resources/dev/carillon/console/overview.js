// The status of the deployment; troubles come first.

import { h, Fragment, Chart, useEffect, useRef } from "./library.js";
import { get, useData } from "./api.js";
import { Launches } from "./launches.js";
import { Instant, clock, span } from "./time.js";
import { Facts, Loaded, Row, Section, State, Table, Title } from "./parts.js";

const MOST_POINTS = 900;
const LEAST_SECONDS = 300;

/** The values since the page was opened: instants, lags, unfinished jobs. */
const seen = [[], [], []];

const isAlarming = (name) => name === "rejected" || name.endsWith("DeadLetters");

const sum = (numbers) => numbers.reduce((total, number) => total + number, 0);

async function load(signal) {
  const status = await get("status", {}, signal);
  seen[0].push(Date.now() / 1000);
  seen[1].push(status.lagSeconds ?? null);
  seen[2].push(sum(Object.values(status.jobs)));
  if (seen[0].length > MOST_POINTS) {
    seen.forEach((points) => points.shift());
  }
  return status;
}

function Troubles({ of }) {
  return of.length === 0
    ? h("p", { class: "fine" }, "No troubles.")
    : h(
        "div",
        { class: "fault" },
        h("ul", null, of.map((trouble) => h("li", null, trouble))),
      );
}

function Queues({ of }) {
  const rank = ([name, queue]) => (isAlarming(name) && queue.visible > 0 ? 0 : 1);
  const sorted = Object.entries(of).sort((a, b) => rank(a) - rank(b) || (a[0] < b[0] ? -1 : 1));
  return h(Table, {
    label: "Queues",
    heads: ["Queue", "Messages", "Address"],
    rows: sorted.map((entry) =>
      h(Row, {
        class: rank(entry) === 0 ? "alarm" : "",
        cells: [entry[0], entry[1].visible ?? "unknown", h("code", null, entry[1].url)],
      }),
    ),
  });
}

function colour(name) {
  return getComputedStyle(document.documentElement).getPropertyValue(name);
}

function options(width) {
  const line = (label, name, scale) => ({ label, stroke: colour(name), width: 2, scale });
  const axis = (more) => ({ stroke: colour("--text"), grid: { stroke: colour("--faint") }, ...more });
  return {
    width,
    height: 200,
    series: [{}, line("Lag, s", "--accent", "y"), line("Unfinished jobs", "--second", "jobs")],
    scales: { x: { range: (_, min, max) => [min, Math.max(max, min + LEAST_SECONDS)] }, y: { range: [0, null] }, jobs: { range: [0, null] } },
    axes: [axis({ values: (_, seconds) => seconds.map((at) => clock(at * 1000)) }), axis({}), axis({ scale: "jobs", side: 1, grid: { show: false } })],
  };
}

function Lately() {
  const place = useRef(null);
  const chart = useRef(null);
  useEffect(() => {
    chart.current = new Chart(options(place.current.clientWidth), seen, place.current);
    const fit = () => chart.current.setSize({ width: place.current.clientWidth, height: 200 });
    addEventListener("resize", fit);
    return () => {
      removeEventListener("resize", fit);
      chart.current.destroy();
    };
  }, []);
  useEffect(() => chart.current.setData(seen));
  const lag = seen[1][seen[1].length - 1];
  const label = "Chart of lag and unfinished jobs; the lag is now " + (lag ?? "unknown") + " s";
  return h("div", { ref: place, class: "chart", role: "img", "aria-label": label });
}

function Numbers({ of }) {
  return h(
    "div",
    { class: "tiles" },
    h(Facts, {
      of: [
        ["Last tick", h(Instant, { at: of.lastProcessedTime, none: "none yet" })],
        ["Lag", of.lagSeconds === null || of.lagSeconds === undefined ? "none yet" : span(of.lagSeconds)],
        ["Oldest due", of.oldestDueAgeSeconds ? span(of.oldestDueAgeSeconds) : "nothing overdue"],
        ["Unfinished jobs", String(sum(Object.values(of.jobs)))],
      ],
    }),
  );
}

export function Overview({ ns }) {
  const status = useData(load, "status");
  return h(
    Fragment,
    null,
    h(Title, null, "Overview"),
    h(Loaded, { from: status }, (of) => [
      h(Section, { title: "Troubles" }, h(Troubles, { of: of.troubles })),
      h(Section, { title: "Now" }, h(Numbers, { of })),
      h(Launches, { ns }),
      h(
        Section,
        { title: "Jobs by state", hint: "Unfinished jobs, counted up to 10,000 in total." },
        h(Table, {
          label: "Jobs by state",
          heads: ["State", "Jobs"],
          empty: "No job waits or runs.",
          rows: Object.entries(of.jobs).map(([state, count]) =>
            h(Row, { cells: [h(State, { of: state }), String(count)] }),
          ),
        }),
      ),
      h(Section, { title: "Queues" }, h(Queues, { of: of.queues })),
      h(Section, { title: "Since this page was opened" }, h(Lately)),
    ]),
  );
}
