// Objects to which schedules refer: programs, resources and calendars.

import { h, Fragment } from "./library.js";
import { get, path, useData } from "./api.js";
import { Instant } from "./time.js";
import { Json } from "./json.js";
import { Pages, useRoute } from "./pages.js";
import { Limits } from "./schedule.js";
import { Gates } from "./job.js";
import { Jobs, Loaded, Row, Section, State, Table, Title, bare, toProgram, toSchedule, to } from "./parts.js";

const MOST_SCHEDULES = 2000;

/** The programs that the schedules of a namespace launch; the API has no list of them. */
async function programsOf(ns, signal) {
  const found = new Map();
  let next = null;
  let read = 0;
  do {
    const page = await get(path("namespaces", ns, "schedules"), { limit: 500, next }, signal);
    for (const { name, schedule } of page.schedules) {
      const program = bare(schedule.program || name);
      found.set(program, (found.get(program) || 0) + 1);
    }
    read += page.schedules.length;
    next = page.next ?? null;
  } while (next && read < MOST_SCHEDULES);
  return { programs: [...found].sort((a, b) => (a[0] < b[0] ? -1 : 1)), more: next !== null };
}

export function Programs({ ns }) {
  const programs = useData((signal) => programsOf(ns, signal), ns, { poll: false });
  return h(
    Fragment,
    null,
    h(Title, { kind: ns + " /" }, "Programs"),
    h(Loaded, { from: programs }, (of) => [
      of.more && h("p", { class: "hint" }, "Of the first " + MOST_SCHEDULES + " schedules."),
      h(Table, {
        label: "Programs",
        heads: ["Program", "Schedules that launch it"],
        empty: "No schedule, so no program.",
        rows: of.programs.map(([name, count]) =>
          h(Row, {
            cells: [
              h("a", { href: toProgram(ns, name) }, name),
              h("a", { href: to([ns, "schedules"], { program: name }) }, String(count)),
            ],
          }),
        ),
      }),
    ]),
  );
}

export function Program({ ns, name }) {
  const route = path("namespaces", ns, "programs", name);
  const program = useData((signal) => get(route, {}, signal), route);
  return h(
    Fragment,
    null,
    h(Title, { kind: ns + " / program" }, name),
    h(Loaded, { from: program }, (of) => [
      h(
        Section,
        { title: "Schedules that launch it" },
        h(Table, {
          label: "Schedules",
          heads: ["Schedule", "State", "Next fire"],
          rows: of.schedules.map((schedule) =>
            h(Row, {
              cells: [
                h("a", { href: toSchedule(ns, schedule.name) }, schedule.name),
                h(State, { of: schedule.state }),
                h(Instant, { at: schedule.nextFire }),
              ],
            }),
          ),
        }),
        of.moreSchedules && h("p", { class: "hint" }, "Further schedules launch it."),
      ),
      h(Section, { title: "Limits" }, h(Limits, { of: of.limits })),
      of.gates.length > 0 && h(Section, { title: "Gates" }, h(Gates, { ns, of: of.gates })),
      h("p", null, h("a", { href: to([ns, "jobs"], { program: name }) }, "Its unfinished jobs")),
      h(Section, { title: "Last runs" }, h(Jobs, { ns, jobs: of.lastRuns, time: Instant })),
    ]),
  );
}

export function Resources({ ns }) {
  const list = useRoute(path("namespaces", ns, "resources"), "resources");
  return h(
    Fragment,
    null,
    h(Title, { kind: ns + " /" }, "Resources"),
    h(Pages, { of: list }, (resources) =>
      h(Table, {
        label: "Resources",
        heads: ["Resource", "Value", "Known until", "Reported", "By", "Jobs that wait"],
        empty: "No resource is reported.",
        rows: resources.map((resource) =>
          h(Row, {
            class: resource.known ? "" : "alarm",
            cells: [
              resource.name,
              resource.value ?? "unknown",
              h(Instant, { at: resource.expiresAt, none: "for ever" }),
              h(Instant, { at: resource.reportedAt }),
              resource.reportedBy ?? "–",
              String(resource.waiting),
            ],
          }),
        ),
      }),
    ),
  );
}

export function Calendars({ ns }) {
  const list = useRoute(path("namespaces", ns, "calendars"), "calendars");
  return h(
    Fragment,
    null,
    h(Title, { kind: ns + " /" }, "Calendars"),
    h(Pages, { of: list }, (calendars) => [
      calendars.length === 0 && h("p", { class: "hint" }, "No calendar is stored."),
      calendars.map((stored) =>
        h(
          Section,
          { key: stored.name, title: stored.name },
          h("p", { class: "hint" }, "Changed ", h(Instant, { at: stored.updatedAt }), " by " + stored.updatedBy),
          h(Json, { of: stored.calendar, label: "Calendar " + stored.name }),
        ),
      ),
    ]),
  );
}
