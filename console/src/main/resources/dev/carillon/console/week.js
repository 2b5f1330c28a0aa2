// All fires of a namespace in a week, by hour, so that crowded hours become visible.

import { h, Fragment, useEffect, useState } from "./library.js";
import { Refusal, get, path, throttled, useConnection } from "./api.js";
import { ZONE } from "./time.js";
import { Fault, Section, Title, plural, to, toSchedule } from "./parts.js";

const DAY = 86400000;
const MOST_SCHEDULES = 500;
const MOST_PAGES = 3;
const FIRES = 1000;
const AT_ONCE = 4;

const DATE = new Intl.DateTimeFormat(undefined, { weekday: "short", day: "numeric", month: "short" });

/** Midnight, in the browser's zone, of a day like 2026-03-09; of today if the text is not a day. */
function midnight(day) {
  const named = day && /^\d{4}-\d{2}-\d{2}$/.test(day) ? new Date(day + "T00:00") : new Date();
  named.setHours(0, 0, 0, 0);
  return named;
}

/** Midnight some days later. Days of 23 or 25 hours begin at midnight as well. */
function shifted(day, days) {
  const other = new Date(day);
  other.setDate(other.getDate() + days);
  return other;
}

const nameOf = (day) =>
  [day.getFullYear(), day.getMonth() + 1, day.getDate()].map((n) => String(n).padStart(2, "0")).join("-");

async function schedulesOf(ns, signal) {
  const found = [];
  let next = null;
  do {
    const query = { state: "ACTIVE", limit: FIRES, next };
    const page = await get(path("namespaces", ns, "schedules"), query, signal);
    found.push(...page.schedules.filter((stored) => stored.nextFire));
    next = page.next ?? null;
  } while (next && found.length < MOST_SCHEDULES);
  const more = next !== null || found.length > MOST_SCHEDULES;
  return { names: found.slice(0, MOST_SCHEDULES).map(({ name }) => name), more };
}

/** The fires of one schedule within the range; if they are too many, also the instant until which they are known. */
async function firesOf(ns, name, from, to, signal) {
  const route = path("namespaces", ns, "schedules", name, "preview");
  const fires = [];
  let after = new Date(from.getTime() - 1).toISOString();
  for (let page = 0; page < MOST_PAGES; page++) {
    const query = { from: after, count: FIRES };
    const { fires: some } = await throttled(() => get(route, query, signal), signal);
    const within = some.map((fire) => Date.parse(fire.scheduledFor)).filter((at) => at < to);
    fires.push(...within);
    if (some.length < FIRES || within.length < some.length) {
      return { fires, until: null };
    }
    after = some[some.length - 1].scheduledFor;
  }
  return { fires, until: after };
}

function counted(counts, fires, from) {
  for (const at of fires) {
    const time = new Date(at);
    const day = Math.round((midnight(nameOf(time)) - from) / DAY);
    counts[day][time.getHours()]++;
  }
}

const EMPTY = () => Array.from({ length: 7 }, () => Array(24).fill(0));

/** Collects the fires of all schedules, a few at a time, and shows the fires collected so far. */
function useWeek(ns, day) {
  const [week, setWeek] = useState({ counts: EMPTY(), done: 0, all: null, cut: [], fault: null });
  const lost = useConnection() !== null;
  useEffect(() => {
    const end = new AbortController();
    const from = midnight(day);
    const counts = EMPTY();
    const seen = { counts, done: 0, all: null, cut: [], more: false, fault: null };
    const show = () => end.signal.aborted || setWeek({ ...seen });
    const work = async (names) => {
      for (let name = names.pop(); name && !end.signal.aborted; name = names.pop()) {
        try {
          const { fires, until } = await firesOf(ns, name, from, shifted(from, 7), end.signal);
          counted(counts, fires, from);
          until && seen.cut.push({ name, why: "its fires are counted until " + until });
        } catch (fault) {
          if (!(fault instanceof Refusal)) {
            throw fault;
          }
          seen.cut.push({ name, why: fault.message });
        }
        seen.done++;
        show();
      }
    };
    const run = async () => {
      show();
      const { names, more } = await schedulesOf(ns, end.signal);
      Object.assign(seen, { all: names.length, more });
      show();
      const left = names.reverse();
      await Promise.all(Array.from({ length: AT_ONCE }, () => work(left)));
    };
    run().catch((fault) => {
      seen.fault = fault;
      show();
    });
    return () => end.abort("obsolete");
  }, [ns, day, lost]);
  return week;
}

/** The busiest hour counts as at least this many fires, so that a few fires never have the strongest colour. */
const FEW = 10;

/**
 * How crowded an hour is, from 0 to 5. It grows with the square root of the number of fires, because a few hours often
 * have most of the fires.
 */
const heat = (count, most) => Math.ceil(5 * Math.sqrt(count / Math.max(most, FEW)));

function Map({ counts, from }) {
  const most = Math.max(...counts.flat());
  const hours = Array.from({ length: 24 }, (_, hour) => hour);
  const cell = (count, day, hour) =>
    h(
      "td",
      { class: "heat h" + heat(count, most), title: nameOf(day) + " " + hour + ":00, " + plural(count, "fire") },
      count || "",
    );
  return h(
    "div",
    { class: "scrolls", role: "region", "aria-label": "Fires by day and hour", tabIndex: 0 },
    h(
      "table",
      { class: "week" },
      h("caption", { class: "unseen" }, "Fires by day and hour"),
      h(
        "thead",
        null,
        h("tr", null, h("th", { scope: "col" }, "Day"), hours.map((hour) => h("th", { scope: "col" }, hour))),
      ),
      h(
        "tbody",
        null,
        counts.map((row, index) => {
          const day = shifted(from, index);
          return h(
            "tr",
            null,
            h("th", { scope: "row" }, DATE.format(day)),
            row.map((count, hour) => cell(count, day, hour)),
          );
        }),
      ),
    ),
  );
}

function Progress({ week }) {
  const total = week.counts.flat().reduce((sum, count) => sum + count, 0);
  const over = week.all !== null && week.done === week.all;
  return h(
    "p",
    { role: "status" },
    week.all === null
      ? "Loading the schedules…"
      : plural(total, "fire") + " of " + (over ? "" : week.done + " of ") + plural(week.all, "schedule") + ".",
    !over && week.all !== null && h("progress", { max: week.all, value: week.done, "aria-label": "Schedules" }),
    over && week.more && " Further schedules are not counted.",
  );
}

export function Week({ ns, query }) {
  const from = midnight(query.from);
  const day = nameOf(from);
  const week = useWeek(ns, day);
  const link = (days, text) => h("a", { href: to([ns, "week"], { from: nameOf(shifted(from, days)) }) }, text);
  return h(
    Fragment,
    null,
    h(Title, { kind: ns + " /" }, "Week"),
    h("p", { class: "buttons" }, link(-7, "Week before"), h("a", { href: to([ns, "week"]) }, "From today"), link(7, "Week after")),
    h("p", { class: "hint" }, "Fires of active schedules by hour in your time, " + ZONE + ". Fires that calendars exclude are not counted."),
    h(Fault, { of: week.fault }),
    h(Progress, { week }),
    h(Map, { counts: week.counts, from }),
    week.cut.length > 0 &&
      h(
        Section,
        { title: "Counted in part" },
        h(
          "ul",
          null,
          week.cut.map(({ name, why }) => h("li", null, h("a", { href: toSchedule(ns, name) }, name), " ", why)),
        ),
      ),
  );
}
