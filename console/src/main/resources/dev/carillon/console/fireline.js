// The fires of the next seven days on a line. Marks fires that a change of clocks moves, and fires that calendars
// exclude.

import { h, Fragment } from "./library.js";
import { Refusal, get, path, post, useData } from "./api.js";
import { ZONE, local } from "./time.js";
import { Loaded, Section, plural } from "./parts.js";

const HOUR = 3600000;
const WEEK = 168 * HOUR;
const MOST_FIRES = 500;
const TOP = 22;
const AXIS = 58;
const HEIGHT = 66;

const DAY = new Intl.DateTimeFormat(undefined, { weekday: "short", day: "numeric" });

const timeOf = (fire) => Date.parse(fire.scheduledFor);

/** The time leaves of a trigger that fire by themselves; none if all leaves must be satisfied. */
function leavesOf(trigger) {
  return trigger.type === "or" ? trigger.triggers.flatMap(leavesOf) : [trigger];
}

/** The crons and rates with calendars. */
const excluding = (trigger) => leavesOf(trigger).filter((leaf) => leaf.exclude?.length);

/**
 * The fires that the calendars of a leaf exclude: the difference of two previews, without the calendars and with them.
 * Previews of a document contain skipped fires, so these are no difference. The preview uses the schedule's name, because
 * the offset of a flexible leaf depends on this name. The previewed document is not the stored one, so a rate needs the
 * stored anchor.
 */
async function excludedOf(leaf, stored, route, from, end) {
  const { exclude, ...trigger } = leaf;
  if (trigger.type === "rate") {
    trigger.anchor ??= stored.generationSince;
  }
  const { zone } = stored.schedule;
  const firesOf = async (trigger) => {
    const schedule = { trigger, target: { queue: "none", template: {} }, ...(zone && { zone }) };
    return (await post(route, { schedule, from, count: MOST_FIRES })).fires;
  };
  const [all, left] = await Promise.all([
    firesOf(trigger),
    // The preview is refused if a calendar is missing. Without it, a skipped fire seems to be excluded.
    firesOf({ ...trigger, exclude }).catch((fault) => (fault instanceof Refusal ? [] : Promise.reject(fault))),
  ]);
  const times = new Set(left.map(timeOf));
  const fires = all.filter((fire) => !times.has(timeOf(fire))).map((fire) => ({ ...fire, by: exclude }));
  return { fires, until: within(all, end).until };
}

/** The fires until the end, and the instant until which all fires are known. */
function within(fires, end) {
  const isCut = fires.length === MOST_FIRES;
  return { fires: fires.filter((fire) => timeOf(fire) <= end), until: isCut ? Math.min(end, timeOf(fires.at(-1))) : end };
}

async function weekOf(route, stored, signal) {
  const begin = Date.now();
  const from = new Date(begin).toISOString();
  const own = within((await get(route, { from, count: MOST_FIRES }, signal)).fires, begin + WEEK);
  const others = await Promise.all(
    excluding(stored.schedule.trigger).map((leaf) => excludedOf(leaf, stored, route, from, begin + WEEK)),
  );
  const until = Math.min(own.until, ...others.map((other) => other.until));
  const kept = new Set(own.fires.map(timeOf));
  const excluded = others.flatMap((other) => other.fires).filter((fire) => !kept.has(timeOf(fire)) && timeOf(fire) <= until);
  return { begin, until, fires: own.fires.filter((fire) => timeOf(fire) <= until), excluded };
}

/** The offset of a zone from UTC at an instant, as a text. */
function offsetOf(zone) {
  const format = new Intl.DateTimeFormat("en", { timeZone: zone, timeZoneName: "longOffset" });
  return (at) => format.formatToParts(at).find((part) => part.type === "timeZoneName").value;
}

/** The hours in which the clocks of a zone change. */
function changesOf(zone, begin) {
  try {
    const offset = offsetOf(zone);
    const hours = Array.from({ length: 169 }, (_, hour) => Math.floor(begin / HOUR) * HOUR + hour * HOUR);
    return hours.filter((at) => offset(at) !== offset(at - HOUR) && at > begin);
  } catch {
    return []; // This browser does not know the zone.
  }
}

/** The first moments of the days of the week, in the zone of the browser. */
function daysOf(begin) {
  const day = new Date(begin);
  day.setHours(0, 0, 0, 0);
  return Array.from({ length: 7 }, () => day.setDate(day.getDate() + 1));
}

const names = (of) => [...new Set(of.flatMap((fire) => fire.by))].join(", ");

/** The content of the line, in words. */
function wordsOf({ fires, excluded, begin, until }, changes) {
  const moved = fires.filter((fire) => fire.dst);
  return [
    [null, plural(fires.length, "fire") + (until < begin + WEEK ? " until " + local(until) : "")],
    moved.length > 0 && ["dst", moved.length + " at a change of clocks"],
    excluded.length > 0 && ["excluded", excluded.length + " excluded by " + names(excluded)],
    changes.length > 0 && ["clocks", "clocks change " + changes.map(local).join(", ")],
  ].filter(Boolean);
}

function Line({ week, zone }) {
  const { begin, fires, excluded } = week;
  const x = (at) => (((at - begin) / WEEK) * 100).toFixed(3) + "%";
  const changes = changesOf(zone, begin);
  const words = wordsOf(week, changes);
  return h(
    Fragment,
    null,
    h(
      "svg",
      { class: "fireline", height: HEIGHT, role: "img", "aria-label": "The coming week: " + words.map(([, text]) => text).join("; ") },
      h("line", { class: "axis", x1: 0, x2: "100%", y1: AXIS, y2: AXIS }),
      daysOf(begin).map((at) => [
        h("line", { class: "day", x1: x(at), x2: x(at), y1: TOP - 6, y2: AXIS }),
        at < begin + WEEK * 0.94 && h("text", { x: x(at), y: 12 }, DAY.format(at)),
      ]),
      changes.map((at) => h("line", { class: "clocks", x1: x(at), x2: x(at), y1: TOP - 8, y2: HEIGHT }, h("title", null, "the clocks change"))),
      excluded.map((fire) =>
        h("circle", { class: "excluded", cx: x(timeOf(fire)), cy: TOP + 6, r: 4 }, h("title", null, local(fire.scheduledFor) + " excluded")),
      ),
      fires.map((fire) =>
        h(
          "line",
          { class: fire.dst ? "fire dst" : "fire", x1: x(timeOf(fire)), x2: x(timeOf(fire)), y1: fire.dst ? TOP : TOP + 14, y2: AXIS },
          h("title", null, local(fire.scheduledFor) + (fire.dst ? " moved by the clocks or doubled" : "")),
        ),
      ),
    ),
    h("p", { class: "legend" }, words.map(([kind, text]) => h("span", { class: kind ?? "fire" }, text))),
  );
}

const firesByItself = (trigger) =>
  ["cron", "rate", "at"].includes(trigger.type) || (trigger.triggers || []).some(firesByItself);

/** The coming week of a schedule with a time leaf. */
export function ComingWeek({ ns, stored }) {
  const { schedule } = stored;
  const route = path("namespaces", ns, "schedules", stored.name, "preview");
  const key = route + stored.etag + stored.nextFire;
  const week = useData((signal) => weekOf(route, stored, signal), key, { poll: false });
  return (
    firesByItself(schedule.trigger) &&
    h(
      Section,
      { title: "Coming week", hint: "In your time, " + ZONE + "." },
      h(Loaded, { from: week }, (of) => h(Line, { week: of, zone: schedule.trigger.zone || schedule.zone || "UTC" })),
    )
  );
}
