// Instants and durations in a form for people.

import { h } from "./library.js";

export const ZONE = Intl.DateTimeFormat().resolvedOptions().timeZone;

const WHOLE = new Intl.DateTimeFormat(undefined, {
  year: "numeric",
  month: "short",
  day: "2-digit",
  hour: "2-digit",
  minute: "2-digit",
  second: "2-digit",
  hourCycle: "h23",
});

const CLOCK = new Intl.DateTimeFormat(undefined, { hour: "2-digit", minute: "2-digit", hourCycle: "h23" });

const DAY_AND_CLOCK = new Intl.DateTimeFormat(undefined, {
  month: "short",
  day: "2-digit",
  hour: "2-digit",
  minute: "2-digit",
  hourCycle: "h23",
});

const STEPS = [
  [86400, "d"],
  [3600, "h"],
  [60, "min"],
  [1, "s"],
];

/** A number of seconds in its largest unit, like 3 min. */
export function span(seconds) {
  const size = Math.abs(seconds);
  const [length, unit] = STEPS.find(([step]) => size >= step) || [1, "s"];
  return Math.floor(size / length) + " " + unit;
}

export function relative(instant, now = Date.now()) {
  const seconds = (Date.parse(instant) - now) / 1000;
  if (Math.abs(seconds) < 1) {
    return "now";
  }
  return seconds > 0 ? "in " + span(seconds) : span(seconds) + " ago";
}

export function local(instant) {
  return WHOLE.format(new Date(instant));
}

/** The hour and minute in the zone of the browser, for axes. */
export const clock = (at) => CLOCK.format(at);

/** The day, hour and minute in the zone of the browser, for axes of several days. */
export const dayAndClock = (at) => DAY_AND_CLOCK.format(at);

/** An instant in the zone of the browser, with its distance from now and with UTC as its title. */
export function Instant({ at, far = true, none = "–" }) {
  if (!at || Number.isNaN(Date.parse(at))) {
    return none;
  }
  return h(
    "time",
    { datetime: at, title: at },
    local(at),
    far && h("span", { class: "far" }, " " + relative(at)),
  );
}

/** The instant of a field of type datetime-local, which is in the zone of the browser. */
export function instantOf(field) {
  return field ? new Date(field).toISOString() : undefined;
}

/** The value of a field of type datetime-local. */
export function fieldOf(date) {
  const shifted = new Date(date.getTime() - date.getTimezoneOffset() * 60000);
  return shifted.toISOString().slice(0, 16);
}
