// The schedules of a namespace, page by page.

import { h, Fragment, useMemo } from "./library.js";
import { get, path } from "./api.js";
import { Instant } from "./time.js";
import { Ends } from "./ends.js";
import { AsOf, usePages } from "./pages.js";
import { Fault, Field, Row, State, Table, Title, bare, plural, to, toProgram, toSchedule } from "./parts.js";

const PAGE = 100;
const SEARCH_PAGE = 500;

const matches = (stored, words) => {
  const text = (stored.name + " " + (stored.schedule.description || "")).toLowerCase();
  return words.every((word) => text.includes(word));
};

function filtersOf({ state, app, tag, program, broken }) {
  return { state, app, tag, program, broken: broken ? "true" : "" };
}

/**
 * Loads pages until the matching schedules fill one page of the view, or no page is left.
 *
 * @param seen receives the number of schedules read so far, so that a long search shows its progress
 */
async function loadPage(ns, query, next, signal, seen) {
  const words = (query.q || "").toLowerCase().split(/\s+/).filter(Boolean);
  const found = [];
  let cursor = next;
  let read = 0;
  do {
    const limit = words.length ? SEARCH_PAGE : PAGE;
    const page = await get(
      path("namespaces", ns, "schedules"),
      { ...filtersOf(query), limit, next: cursor },
      signal,
    );
    found.push(...page.schedules.filter((stored) => matches(stored, words)));
    read += page.schedules.length;
    seen(read);
    cursor = page.next ?? null;
  } while (cursor && found.length < PAGE);
  return { found, next: cursor };
}

function Filters({ ns, query }) {
  const apply = (event) => {
    event.preventDefault();
    const chosen = Object.fromEntries(new FormData(event.target));
    location.hash = to([ns, "schedules"], chosen);
  };
  const field = (name, label, rest) =>
    h(Field, { label }, h("input", { name, defaultValue: query[name] || "", ...rest }));
  return h(
    "form",
    { class: "filters", role: "search", onSubmit: apply, key: JSON.stringify(query) },
    field("q", "Name or description", { type: "search" }),
    h(
      Field,
      { label: "State" },
      h(
        "select",
        { name: "state" },
        ["", "ACTIVE", "SUSPENDED", "COMPLETED"].map((state) =>
          h("option", { value: state, selected: state === (query.state || "") }, state || "any"),
        ),
      ),
    ),
    field("app", "App"),
    field("tag", "Tag", { placeholder: "team=data" }),
    field("program", "Program"),
    h(
      "label",
      { class: "check" },
      h("input", { type: "checkbox", name: "broken", value: "true", defaultChecked: !!query.broken }),
      "Broken only",
    ),
    h("button", { type: "submit" }, "Filter"),
    h("a", { href: to([ns, "schedules"]) }, "Clear"),
  );
}

function tags(of) {
  return Object.entries(of || {})
    .map(([name, value]) => name + "=" + value)
    .join(", ");
}

function ScheduleRow({ ns, of }) {
  const document = of.schedule;
  const program = bare(document.program || of.name);
  return h(Row, {
    cells: [
      [
        h("a", { href: toSchedule(ns, of.name) }, of.name),
        document.description && h("span", { class: "more" }, document.description),
      ],
      h(State, { of: of.state }),
      h(Instant, { at: of.nextFire }),
      h(Ends, { ns, name: of.name }),
      h("a", { href: toProgram(ns, program) }, program),
      document.trigger.type,
      document.app || "",
      tags(document.tags),
    ],
  });
}

/** The rows of a long list. Existing rows are not drawn again when further rows follow. */
function useRows(ns, items) {
  const drawn = useMemo(() => new WeakMap(), [ns]);
  return items.map((of) => {
    if (!drawn.has(of)) {
      drawn.set(of, h(ScheduleRow, { key: of.name, ns, of }));
    }
    return drawn.get(of);
  });
}

function progress(list) {
  if (!list.busy) {
    return plural(list.items.length, "schedule") + (list.next ? " so far." : ".");
  }
  return list.read ? "Searching, " + plural(list.read, "schedule") + " read…" : "Loading…";
}

export function Schedules({ ns, query }) {
  const load = (next, signal, seen) => loadPage(ns, query, next, signal, seen);
  const list = usePages(load, JSON.stringify([ns, query]), !query.q);
  const rows = useRows(ns, list.items);
  return h(
    Fragment,
    null,
    h(Title, { kind: ns + " /" }, "Schedules"),
    h("p", null, h("a", { href: to([ns, "new"]), class: "button" }, "New schedule")),
    h(Filters, { ns, query }),
    h(Fault, { of: list.fault }),
    h("p", { role: "status", class: "hint" }, !list.fault && progress(list)),
    h(AsOf, { of: list }),
    (list.items.length > 0 || (!list.busy && !list.fault)) &&
      h(Table, {
        label: "Schedules",
        heads: ["Name", "State", "Next fire", "Last jobs", "Program", "Trigger", "App", "Tags"],
        empty: "No schedule of this namespace matches.",
        rows,
      }),
    list.next &&
      h("button", { type: "button", disabled: list.busy, onClick: list.more }, "Load more"),
  );
}
