// Launches per minute and ends in the last hours, counted from the newest jobs of the schedules of a namespace.

import { h, Chart, useEffect, useRef } from "./library.js";
import { get, path, useData } from "./api.js";
import { Ended, endsOf } from "./ended.js";
import { clock } from "./time.js";
import { Fault, Section, plural, toSchedule } from "./parts.js";

const HOURS = 3;
const MINUTE = 60000;
const MINUTES = HOURS * 60;
const SCHEDULES = 30;
const JOBS = 100;
const AT_ONCE = 4;
const HEIGHT = 160;
const MOST_NAMED = 5;

/** The launches and ends of one schedule, and whether its list is too short to contain all of them. */
async function jobsOf(ns, name, from, signal) {
  const { jobs, next } = await get(path("namespaces", ns, "schedules", name, "jobs"), { limit: JOBS }, signal);
  const launches = jobs.map((job) => Date.parse(job.launchedAt)).filter((at) => at >= from);
  const oldest = Math.min(...jobs.map((job) => Date.parse(job.scheduledFor)).filter(Number.isFinite));
  return { launches, ends: endsOf(jobs, from), isCut: Boolean(next) && oldest > from };
}

async function load(ns, signal) {
  const to = Math.floor(Date.now() / MINUTE) * MINUTE + MINUTE;
  const from = to - MINUTES * MINUTE;
  const page = await get(path("namespaces", ns, "schedules"), { state: "ACTIVE", limit: SCHEDULES }, signal);
  const counts = Array(MINUTES).fill(0);
  const ends = [];
  const cut = [];
  const left = page.schedules.map((stored) => stored.name);
  const work = async () => {
    for (let name = left.shift(); name && !signal.aborted; name = left.shift()) {
      const { launches, ends: ended, isCut } = await jobsOf(ns, name, from, signal);
      launches.filter((at) => at < to).forEach((at) => counts[Math.floor((at - from) / MINUTE)]++);
      ends.push(...ended);
      isCut && cut.push(name);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  const minutes = counts.map((_, index) => (from + index * MINUTE) / 1000);
  return { data: [minutes, counts], ends, cut, more: Boolean(page.next) };
}

function colour(name) {
  return getComputedStyle(document.documentElement).getPropertyValue(name);
}

function options(width) {
  const axis = (more) => ({ stroke: colour("--text"), grid: { stroke: colour("--faint"), width: 1 }, ticks: { show: false }, ...more });
  const whole = (_, values) => values.map((value) => (Number.isInteger(value) ? value : ""));
  return {
    width,
    height: HEIGHT,
    legend: { show: false },
    cursor: { show: false },
    series: [{}, { fill: colour("--accent"), width: 0, paths: Chart.paths.bars({ size: [0.8, 12], align: 1 }), points: { show: false } }],
    scales: { y: { range: (_, least, most) => [0, Math.max(most, 4)] } },
    axes: [axis({ values: (_, seconds) => seconds.map((at) => clock(at * 1000)) }), axis({ values: whole, size: 40 })],
  };
}

function Bars({ data, label }) {
  const place = useRef(null);
  const chart = useRef(null);
  useEffect(() => {
    chart.current = new Chart(options(place.current.clientWidth), data, place.current);
    const fit = () => chart.current.setSize({ width: place.current.clientWidth, height: HEIGHT });
    addEventListener("resize", fit);
    return () => {
      removeEventListener("resize", fit);
      chart.current.destroy();
    };
  }, [data]);
  return h("div", { ref: place, class: "chart", role: "img", "aria-label": label });
}

function Cut({ ns, of }) {
  return (
    of.length > 0 &&
    h(
      "p",
      { class: "hint" },
      "Counted in part, because they launched more: ",
      of.slice(0, MOST_NAMED).map((name, index) => [index > 0 && ", ", h("a", { href: toSchedule(ns, name) }, name)]),
      of.length > MOST_NAMED && " and " + plural(of.length - MOST_NAMED, "other"),
      ".",
    )
  );
}

export function Launches({ ns }) {
  const launches = useData((signal) => load(ns, signal), ns, { poll: false });
  const { data, ends, cut, more } = launches.data ?? {};
  const total = data?.[1].reduce((sum, count) => sum + count, 0);
  const counted =
    "The last " + HOURS + " hours, of the newest " + JOBS + " jobs of each of " + (more ? "the first " + SCHEDULES : "the") + " active schedules of namespace " + ns + ".";
  return [
    h(
      Section,
      { title: "Jobs by end", hint: counted },
      h(Fault, { of: launches.error }),
      ends && h(Ended, { ns, of: ends }),
    ),
    h(
      Section,
      { title: "Launches a minute", hint: counted + " The API keeps no totals." },
      data && [
        h(Bars, { data, label: plural(total, "launch", "launches") + " in " + HOURS + " hours, at most " + Math.max(...data[1]) + " in a minute" }),
        h("p", { class: "buttons" }, h("span", null, plural(total, "launch", "launches") + "."), h("button", { type: "button", class: "plain", onClick: launches.reload }, "Count again")),
        h(Cut, { ns, of: cut }),
      ],
    ),
  ];
}
