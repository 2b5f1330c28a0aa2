// The parts that several views share.

import { h, useId } from "./library.js";
import { Refusal, Unreachable } from "./api.js";

/** The address of a view. Segments are escaped, and filters follow the question mark. */
export function to(segments, query = {}) {
  const kept = Object.entries(query).filter(([, value]) => value);
  const filters = kept.length ? "?" + new URLSearchParams(kept) : "";
  return "#/" + segments.map(encodeURIComponent).join("/") + filters;
}

export const toSchedule = (ns, name) => to([ns, "schedules", name]);
export const toJob = (ns, id) => to([ns, "jobs", id]);
export const toProgram = (ns, name) => to([ns, "programs", name]);

/** A number of things in words, like "1 job" and "2 jobs". */
export const plural = (number, one, many = one + "s") => number + " " + (number === 1 ? one : many);

/** The name of a program without its namespace; documents contain either form. */
export const bare = (program) => program.slice(program.lastIndexOf("/") + 1);

export function State({ of }) {
  return h("span", { class: "state", "data-state": of }, of);
}

export function Title({ children, kind }) {
  return h("h1", { tabIndex: -1 }, kind && h("span", { class: "kind" }, kind + " "), children);
}

export function Section({ title, children, hint, ...rest }) {
  const id = useId();
  return h(
    "section",
    { "aria-labelledby": id, ...rest },
    h("h2", { id }, title),
    hint && h("p", { class: "hint" }, hint),
    children,
  );
}

/** A refusal or another failure of a call, with each fault and its pointer. */
export function Fault({ of }) {
  if (!of) {
    return null;
  }
  const away = of instanceof Unreachable;
  return h(
    "div",
    { class: "fault", role: "alert" },
    h("strong", null, away ? "No answer" : of instanceof Refusal ? of.title : "This failed"),
    h("p", null, of.message),
    of.errors?.length > 0 &&
      h(
        "ul",
        null,
        of.errors.map((error) =>
          h("li", null, h("code", null, error.pointer || "(whole)"), " ", error.detail),
        ),
      ),
  );
}

/** Shows data once it is loaded, and until then why it is missing. */
export function Loaded({ from, children }) {
  return [
    from.error && !(from.error instanceof Unreachable && from.data) && h(Fault, { of: from.error }),
    from.data
      ? children(from.data)
      : !from.error && h("p", { class: "hint", role: "status" }, "Loading…"),
  ];
}

/** Rows of cells under headings. Scrolls separately on a narrow screen. */
export function Table({ label, heads, rows, empty = "None." }) {
  if (rows.length === 0) {
    return h("p", { class: "hint" }, empty);
  }
  return h(
    "div",
    { class: "scrolls", role: "region", "aria-label": label, tabIndex: 0 },
    h(
      "table",
      null,
      h("caption", { class: "unseen" }, label),
      h("thead", null, h("tr", null, heads.map((head) => h("th", { scope: "col" }, head)))),
      h("tbody", null, rows),
    ),
  );
}

export function Row({ cells, ...rest }) {
  return h("tr", rest, cells.map((cell) => h("td", null, cell)));
}

/** Names with values. Names without a value are left out. */
export function Facts({ of }) {
  const known = of.filter(([, value]) => value !== null && value !== undefined && value !== "");
  return h(
    "dl",
    null,
    known.map(([name, value]) => h("div", null, h("dt", null, name), h("dd", null, value))),
  );
}

export function Field({ label, children, hint }) {
  return h("label", null, h("span", null, label), children, hint && h("small", null, hint));
}

/** The jobs of a list, each with the reason of its last state. */
export function Jobs({ ns, jobs, time }) {
  return h(Table, {
    label: "Jobs",
    heads: ["Job", "State", "Scheduled for", "Launched", "Last change"],
    empty: "No jobs yet.",
    rows: jobs.map((job) => {
      const last = job.transitions?.[job.transitions.length - 1];
      return h(Row, {
        key: job.jobId,
        cells: [
          h("a", { href: toJob(ns, job.jobId), class: "id" }, job.jobId),
          h(State, { of: job.state }),
          h(time, { at: job.scheduledFor }),
          h(time, { at: job.launchedAt }),
          last?.reason || "",
        ],
      });
    }),
  });
}
