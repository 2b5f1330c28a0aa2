// Shows how the last jobs of a schedule ended, as a row of bars. Loads them for visible rows only.

import { h, useEffect, useRef, useState } from "./library.js";
import { get, path } from "./api.js";
import { State, plural } from "./parts.js";

const JOBS = 50;
const AT_ONCE = 4;
const FRESH_MILLIS = 60000;
const MOST_KNOWN = 2000;
const STEP = 2;
const HEIGHT = 18;

/** Kinds of states, each with the height of its bars. The height has the same meaning as the colour. */
const KINDS = {
  good: [["SUCCEEDED", "LAUNCHED"], 11],
  bad: [["FAILED", "TIMED_OUT", "CANCELLED"], 18],
  busy: [["CLAIMED", "RUNNING", "ENQUEUED", "PENDING_LAUNCH"], 6],
  waiting: [["PENDING_TRIGGER", "PENDING_CONSTRAINT", "READY", "RETRY_WAIT"], 4],
  skipped: [["SKIPPED"], 2],
};

const ENDED = [...KINDS.good[0], ...KINDS.bad[0]];

/**
 * The loaded ends by the route of the schedule, the callbacks that receive ends by route, and the rows by their
 * elements.
 */
const known = new Map();
const asked = new Map();
const shown = new Map();
let running = 0;

async function load(route, done) {
  running++;
  try {
    const { jobs } = await get(route, { limit: JOBS });
    if (known.size >= MOST_KNOWN) {
      known.clear();
    }
    known.set(route, { at: Date.now(), states: jobs.map((job) => job.state).reverse() });
    done(known.get(route).states);
  } catch {
    known.delete(route); // Loaded again while the row is visible.
  }
  running--;
  proceed();
}

function proceed() {
  for (const [route, done] of asked) {
    if (running >= AT_ONCE) {
      return;
    }
    asked.delete(route);
    load(route, done);
  }
}

function ask({ route, done }) {
  const isFresh = Date.now() - (known.get(route)?.at ?? 0) < FRESH_MILLIS;
  if (!isFresh) {
    asked.set(route, done);
  }
}

const observer = new IntersectionObserver((entries) => {
  for (const { target, isIntersecting } of entries) {
    const row = shown.get(target);
    if (row) {
      row.isSeen = isIntersecting;
      isIntersecting ? ask(row) : asked.delete(row.route);
    }
  }
  proceed();
});

setInterval(() => {
  if (!document.hidden) {
    shown.forEach((row) => row.isSeen && ask(row));
    proceed();
  }
}, FRESH_MILLIS / 2);

/** The bars of a kind, oldest first, as one path. */
function barsOf(states, kind) {
  const [of, size] = KINDS[kind];
  return states
    .map((state, index) => (of.includes(state) ? "M" + (index * STEP + 1) + " " + HEIGHT + "v-" + size : ""))
    .join("");
}

function labelOf(states) {
  const counts = new Map();
  states.forEach((state) => counts.set(state, (counts.get(state) ?? 0) + 1));
  return "Last " + plural(states.length, "job") + ": " + [...counts].map(([state, n]) => n + " " + state).join(", ");
}

function Bars({ states }) {
  const width = JOBS * STEP;
  return h(
    "svg",
    { class: "ends", width, height: HEIGHT, viewBox: "0 0 " + width + " " + HEIGHT, role: "img", "aria-label": labelOf(states) },
    Object.keys(KINDS).map((kind) => h("path", { class: kind, d: barsOf(states, kind) })),
  );
}

/** The ends of the last jobs, and the last end; loaded when the row becomes visible. */
export function Ends({ ns, name }) {
  const route = path("namespaces", ns, "schedules", name, "jobs");
  const element = useRef(null);
  const [states, setStates] = useState(known.get(route)?.states ?? null);
  useEffect(() => {
    const own = element.current;
    shown.set(own, { route, done: setStates, isSeen: false });
    observer.observe(own);
    return () => {
      observer.unobserve(own);
      shown.delete(own);
      asked.delete(route);
    };
  }, [route]);
  const last = states?.filter((state) => ENDED.includes(state)).pop();
  return h(
    "div",
    { class: "last", ref: element },
    states?.length > 0 && h(Bars, { states }),
    last && h(State, { of: last }),
  );
}
