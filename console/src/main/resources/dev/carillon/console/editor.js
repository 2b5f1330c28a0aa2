// The editor of a document, which the server checks while it is typed.

import { h, Fragment, useEffect, useMemo, useRef, useState } from "./library.js";
import { Refusal, call, path, post, useData } from "./api.js";
import { Fires } from "./schedule.js";
import { useCompletion, useScheduleSchema } from "./completion.js";
import { changedNumbers, exact, lineOf, placeIn, placeOf, places } from "./json.js";
import { Fault, Field, Loaded, Section, Title, toSchedule } from "./parts.js";

const PAUSE_MILLIS = 400;
const FIRES = 10;

const NEW = {
  description: "",
  zone: "UTC",
  trigger: { type: "cron", expression: "0 0 3 * * ?" },
  target: { queue: "jobs", template: { date: "${yesterdaysDate}" } },
  state: "ACTIVE",
};

/** The JSON of a text: its value, which is null if there are faults, and the faults. */
function parsed(source) {
  try {
    return { value: exact(source), faults: [] };
  } catch (fault) {
    const offset = placeIn(fault.message, source);
    return { value: null, faults: [{ pointer: "", detail: fault.message, offset }] };
  }
}

/**
 * The faults of a refusal, with their places in the text. In answers to previews, their pointers begin with /schedule.
 */
export function located(source, errors, prefix = "") {
  const found = places(source);
  return errors.map(({ pointer, detail }) => {
    const own = prefix && pointer.startsWith(prefix) ? pointer.slice(prefix.length) : pointer;
    return { pointer: own, detail, offset: placeOf(found, own) };
  });
}

/**
 * A text with numbered lines, in which lines with faults are marked.
 * @param schema the schema for proposals at the cursor; null for none
 */
export function Source({ label, value, onInput, faults, field, schema }) {
  const numbers = useRef(null);
  const { attributes, onInput: onTyped, onMove, menu } = useCompletion(schema, value, field);
  const known = faults.filter(({ offset }) => offset !== null);
  const marked = new Set(known.map(({ offset }) => lineOf(value, offset)));
  const lines = value.split("\n");
  const text = h("textarea", {
    ...attributes,
    ref: field,
    value,
    rows: Math.min(Math.max(lines.length + 1, 16), 40),
    wrap: "off",
    spellcheck: false,
    autocapitalize: "off",
    "aria-label": label,
    "aria-invalid": faults.length > 0 ? "true" : "false",
    "aria-describedby": "faults",
    onInput: (event) => {
      onInput(event.target.value);
      onTyped(event);
    },
    onScroll: (event) => {
      numbers.current.scrollTop = event.target.scrollTop;
      onMove();
    },
  });
  return h(
    "div",
    { class: "completing" },
    h(
      "div",
      { class: "source" },
      h(
        "div",
        { class: "numbers", ref: numbers, "aria-hidden": "true" },
        lines.map((_, index) => h("div", { class: marked.has(index + 1) ? "wrong" : "" }, index + 1)),
      ),
      text,
    ),
    menu,
    schema && h("p", { class: "hint" }, "Ctrl+Space proposes what fits at the cursor."),
  );
}

/** The faults with their lines, as far as they are known; each line is a link to the place in the text. */
export function Faults({ source, of, field }) {
  const show = (offset) => {
    field.current.focus();
    field.current.setSelectionRange(offset, offset);
  };
  return h(
    "div",
    { id: "faults", role: "status", class: of.length ? "fault" : "fine" },
    of.length === 0
      ? "No faults."
      : h(
          "ul",
          null,
          of.map((fault) =>
            h(
              "li",
              null,
              fault.offset !== null &&
                h(
                  "button",
                  { type: "button", class: "link", onClick: () => show(fault.offset) },
                  "line " + lineOf(source, fault.offset),
                ),
              " ",
              h("code", null, fault.pointer || "(whole)"),
              " ",
              fault.detail,
            ),
          ),
        ),
  );
}

/** Stands for the name of a schedule that has none yet. */
const UNNAMED = "preview";

/** The server's check of the text, a moment after it was typed. */
function useChecks(source, ns, name) {
  const [checks, setChecks] = useState({ faults: [], preview: null, fault: null });
  useEffect(() => {
    const { value, faults } = parsed(source);
    if (faults.length) {
      setChecks({ faults, preview: null, fault: null });
      return undefined;
    }
    let obsolete = false;
    const set = (change) => obsolete || setChecks({ faults: [], preview: null, fault: null, ...change });
    const check = async () => {
      try {
        const route = path("namespaces", ns, "schedules", name || UNNAMED, "preview");
        set({ preview: await post(route, { schedule: value, count: FIRES }) });
      } catch (fault) {
        const errors = fault instanceof Refusal ? fault.errors : [];
        set(errors.length ? { faults: located(source, errors, "/schedule") } : { fault });
      }
    };
    const timer = setTimeout(check, PAUSE_MILLIS);
    return () => {
      obsolete = true;
      clearTimeout(timer);
    };
  }, [source, ns, name]);
  return checks;
}

function Preview({ checks }) {
  return h(
    Section,
    { title: "Next ten fires" },
    h(Fault, { of: checks.fault }),
    checks.preview && [
      h("p", { class: "lead" }, checks.preview.description),
      h(Fires, { fires: checks.preview.fires, label: "Next ten fires" }),
    ],
  );
}

/** Why a document was not stored; if another caller has changed it, also what to do. */
function Refused({ of, onReload }) {
  return [
    h(Fault, { of }),
    of.status === 412 &&
      h(
        "p",
        null,
        "The stored schedule is not the one that was edited here. ",
        onReload &&
          h("button", { type: "button", class: "plain", onClick: onReload }, "Load the stored one"),
      ),
  ];
}

function Form({ ns, name, begin, etag, onReload }) {
  const [source, setSource] = useState(begin);
  const [named, setNamed] = useState(name || "");
  const [fault, setFault] = useState(null);
  const [refused, setRefused] = useState(null);
  const field = useRef(null);
  const checks = useChecks(source, ns, named);
  const schema = useScheduleSchema();
  const stale = refused && refused.source !== source;
  const faults = refused && !stale ? refused.faults : checks.faults;
  const headers = etag ? { "If-Match": etag } : { "If-None-Match": "*" };
  const save = async (event) => {
    event.preventDefault();
    setFault(null);
    try {
      await call("PUT", path("namespaces", ns, "schedules", named), { body: source, headers });
      location.hash = toSchedule(ns, named);
    } catch (error) {
      const readable = parsed(source).value !== null;
      setRefused({ source, faults: readable ? located(source, error.errors || []) : checks.faults });
      setFault(error);
    }
  };
  return h(
    "form",
    { class: "editor", onSubmit: save },
    h(
      "div",
      null,
      !name &&
        h(
          Field,
          { label: "Name" },
          h("input", {
            name: "name",
            required: true,
            value: named,
            pattern: "[A-Za-z0-9_.\\-]{1,64}",
            onInput: (event) => setNamed(event.target.value),
          }),
        ),
      h(Source, { label: "Document", value: source, onInput: setSource, faults, field, schema }),
      h(Faults, { source, of: faults, field }),
      fault && h(Refused, { of: fault, onReload }),
      h(
        "p",
        { class: "buttons" },
        h("button", { type: "submit" }, "Save"),
        name && h("a", { href: toSchedule(ns, name) }, "Back without saving"),
      ),
    ),
    h("div", null, h(Preview, { checks })),
  );
}

const written = (document) => JSON.stringify(document, null, 2) + "\n";

/** The stored document to edit. Its numbers stay as they are, so that saving changes only what the user changed. */
const toEdit = (answer) => ({ begin: written(exact(answer).schedule), changed: changedNumbers(answer) });

function Existing({ ns, name }) {
  const route = path("namespaces", ns, "schedules", name);
  const [times, setTimes] = useState(0);
  const stored = useData((signal) => call("GET", route, { signal, parse: toEdit }), route + " " + times, {
    poll: false,
  });
  const reload = () => setTimes(times + 1);
  return h(Loaded, { from: stored }, ({ body: { begin, changed }, etag }) => [
    changed.length > 0 &&
      h("p", { class: "notice", role: "status" }, "This browser changes numbers of this document: " + changed.join(", ") + ". Correct them before you save, or use a newer browser."),
    h(Form, { key: etag, ns, name, begin, etag, onReload: reload }),
  ]);
}

export function Editor({ ns, name }) {
  const begin = useMemo(() => written(NEW), []);
  return h(
    Fragment,
    null,
    h(Title, { kind: ns + " /" }, name ? "Edit " + name : "New schedule"),
    name ? h(Existing, { ns, name }) : h(Form, { ns, begin }),
  );
}
