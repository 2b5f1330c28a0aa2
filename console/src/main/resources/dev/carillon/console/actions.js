// The actions on a schedule. Each but Resume asks first. Each shows its result.

import { h, Fragment, useState } from "./library.js";
import { call, get, path, post, useData } from "./api.js";
import { Instant, fieldOf, instantOf, local } from "./time.js";
import { Ask, Dialog } from "./dialogs.js";
import { exact } from "./json.js";
import { Fault, Facts, Field, Loaded, Section, State, plural, to } from "./parts.js";

const MODES = {
  discard: "discard: waiting jobs are cancelled, events are ignored",
  drain: "drain: existing jobs proceed, no new ones",
  backlog: "backlog: existing and new jobs are kept until the resumption",
  hold: "hold: existing jobs are kept, no new ones",
};

/** The JSON of a field, with its numbers as they were typed; undefined if it is empty. */
function jsonOf(text, name) {
  if (!text.trim()) {
    return undefined;
  }
  try {
    return exact(text);
  } catch (fault) {
    throw new Error(name + " is not JSON: " + fault.message);
  }
}

/**
 * Suspends, or changes a suspension.
 *
 * @param present the current suspension. The fields begin with its values, because a request without an end drops the
 *   end
 */
function Suspend({ route, etag, present, ...rest }) {
  const end = present?.until ? fieldOf(new Date(present.until)) : "";
  const run = (form) =>
    call("POST", route + "/suspend", {
      headers: { "If-Match": etag },
      body: {
        mode: form.get("mode"),
        reason: form.get("reason") || undefined,
        until: end && form.get("until") === end ? present.until : instantOf(form.get("until")),
      },
    }).then(() => (present ? "The suspension was changed." : "Suspended."));
  const words = present ? { title: "Change the suspension", action: "Change" } : { title: "Suspend", action: "Suspend" };
  return h(
    Ask,
    { ...words, run, ...rest },
    h(
      Field,
      { label: "Mode" },
      h(
        "select",
        { name: "mode" },
        Object.entries(MODES).map(([mode, text]) =>
          h("option", { value: mode, selected: mode === present?.mode }, text),
        ),
      ),
    ),
    h(
      Field,
      { label: "Reason", hint: present?.reason && "An empty reason keeps the present one." },
      h("input", { name: "reason", defaultValue: present?.reason ?? "" }),
    ),
    h(
      Field,
      { label: "Until", hint: "In your time zone. Leave it empty to suspend the schedule until a caller resumes it." },
      h("input", { name: "until", type: "datetime-local", defaultValue: end }),
    ),
  );
}

function Launch({ route, ...rest }) {
  const run = async (form) => {
    const launched = await post(route + "/launch", {
      payload: jsonOf(form.get("payload"), "the payload"),
      priority: form.get("priority") ? Number(form.get("priority")) : undefined,
      customer: form.get("customer") || undefined,
      ignoreConstraints: form.has("ignoreConstraints"),
    });
    const held = launched.heldBy?.length ? " It waits: " + launched.heldBy.join("; ") + "." : "";
    return "Job " + launched.jobId + " was made." + held;
  };
  return h(
    Ask,
    { title: "Launch now", action: "Launch", run, ...rest },
    h(
      Field,
      { label: "Payload", hint: "Any JSON, for ${payload} in the template." },
      h("textarea", { name: "payload", rows: 4, spellcheck: false }),
    ),
    h(Field, { label: "Priority" }, h("input", { name: "priority", type: "number", min: 0, max: 9 })),
    h(Field, { label: "Customer" }, h("input", { name: "customer" })),
    h(
      "label",
      { class: "check" },
      h("input", { type: "checkbox", name: "ignoreConstraints" }),
      "Launch even if constraints do not hold",
    ),
  );
}

function Confirm({ question, ...rest }) {
  return h(Ask, rest, h("p", null, question));
}

/** Asks for the range first, then shows the fires that a dry run found, then starts the backfill. */
function Backfill({ route, onClose, onStarted }) {
  const [range, setRange] = useState(null);
  const [preview, setPreview] = useState(null);
  const yesterday = new Date(Date.now() - 86400000);
  const dryRun = async (form) => {
    const asked = {
      from: instantOf(form.get("from")),
      to: instantOf(form.get("to")),
      concurrency: Number(form.get("concurrency")),
    };
    setPreview(await post(route + "/backfill", { ...asked, dryRun: true, confirm: true }));
    setRange(asked);
  };
  const start = () => post(route + "/backfill", { ...range, confirm: true });
  if (!preview) {
    return h(
      Ask,
      { key: "range", title: "Backfill", action: "Show the fires", run: dryRun, onDone: () => {}, onClose },
      h("p", null, "Launches the fires of a past range. The next step shows the fires; nothing is launched before that."),
      h(
        Field,
        { label: "After" },
        h("input", { name: "from", type: "datetime-local", required: true, defaultValue: fieldOf(yesterday) }),
      ),
      h(
        Field,
        { label: "Until", hint: "In your time." },
        h("input", { name: "to", type: "datetime-local", required: true, defaultValue: fieldOf(new Date()) }),
      ),
      h(
        Field,
        { label: "Jobs at a time" },
        h("input", { name: "concurrency", type: "number", min: 1, max: 100, defaultValue: 1, required: true }),
      ),
    );
  }
  if (preview.fires === 0) {
    return h(
      Dialog,
      { title: "Nothing to launch", onClose },
      h("p", null, "The range contains no fires."),
      h("p", null, h("button", { type: "button", onClick: onClose }, "Close")),
    );
  }
  return h(
    Ask,
    {
      key: "start",
      title: "Start the backfill?",
      action: "Launch " + plural(preview.fires, "fire"),
      run: start,
      onDone: onStarted,
      onClose,
    },
    h("p", null, plural(preview.fires, "fire") + ", " + preview.concurrency + " at a time. The first:"),
    h("ol", null, preview.first.map((at) => h("li", null, local(at)))),
  );
}

export function BackfillState({ route, id }) {
  const own = route + "/" + path("backfills", id);
  const [asks, setAsks] = useState(false);
  const backfill = useData((signal) => get(own, {}, signal), own);
  const close = () => setAsks(false);
  const done = () => {
    close();
    backfill.reload();
  };
  return h(
    Section,
    { title: "Backfill " + id },
    h(Loaded, { from: backfill }, (of) => [
      h(Facts, {
        of: [
          ["State", h(State, { of: of.state })],
          ["Reason", of.reason],
          ["Launched", of.launched + " of " + of.fires],
          ["Ended", Object.entries(of.ended).filter(([, n]) => n > 0).map(([state, n]) => n + " " + state).join(", ")],
        ],
      }),
      h("progress", { max: of.fires, value: of.launched - of.unfinished, "aria-label": "Backfill" }),
      of.state === "RUNNING" &&
        h("button", { type: "button", class: "danger", onClick: () => setAsks(true) }, "Cancel the backfill"),
    ]),
    asks &&
      h(Confirm, {
        title: "Cancel the backfill?",
        action: "Cancel the backfill",
        danger: true,
        run: () => call("DELETE", own),
        onDone: done,
        onClose: close,
        question: "Fires that were not launched yet are not launched. Waiting jobs are cancelled. Launched jobs proceed.",
      }),
  );
}

/** The dialogs, by the names of their actions. */
function dialogOf(open, { ns, stored, route, etag }) {
  const skip = async () => "The fire of " + local((await post(route + "/skip")).skipped) + " is left out.";
  const remove = async () => {
    await call("DELETE", route, { headers: { "If-Match": etag } });
    location.hash = to([ns, "schedules"]);
    return "Deleted.";
  };
  const dialogs = {
    suspend: [Suspend, { route, etag, present: stored.suspended }],
    launch: [Launch, { route }],
    skip: [
      Confirm,
      {
        title: "Skip the next fire",
        action: "Skip",
        run: skip,
        question: ["Leaves out the fire of ", h(Instant, { at: stored.nextFire }), "."],
      },
    ],
    remove: [
      Confirm,
      {
        title: "Delete " + stored.name + "?",
        action: "Delete",
        danger: true,
        run: remove,
        question: "Its waiting jobs are cancelled. Its history stays. This cannot be undone.",
      },
    ],
  };
  return dialogs[open];
}

export function Actions({ ns, stored, etag, onDone, onBackfill }) {
  const route = path("namespaces", ns, "schedules", stored.name);
  const [open, setOpen] = useState(null);
  const [fault, setFault] = useState(null);
  const close = () => setOpen(null);
  const done = (text) => {
    close();
    onDone(text);
  };
  const resume = () => {
    setFault(null);
    post(route + "/resume").then(() => onDone("Resumed."), setFault);
  };
  const button = (name, text, danger) =>
    h("button", { type: "button", class: danger ? "danger" : "plain", onClick: () => setOpen(name) }, text);
  const [View, props] = dialogOf(open, { ns, stored, route, etag }) || [];
  return h(
    Fragment,
    null,
    h(
      "p",
      { class: "buttons" },
      stored.state === "SUSPENDED" && h("button", { type: "button", onClick: resume }, "Resume"),
      button("launch", "Launch now"),
      stored.state !== "COMPLETED" &&
        button("suspend", stored.state === "SUSPENDED" ? "Change the suspension" : "Suspend"),
      stored.state === "ACTIVE" && stored.nextFire && button("skip", "Skip the next fire"),
      button("backfill", "Backfill"),
      h("a", { class: "button plain", href: to([ns, "schedules", stored.name, "edit"]) }, "Edit"),
      button("remove", "Delete", true),
    ),
    h(Fault, { of: fault }),
    View && h(View, { key: open, ...props, onDone: done, onClose: close }),
    open === "backfill" &&
      h(Backfill, {
        route,
        onClose: close,
        onStarted: (started) => {
          onBackfill(started.backfillId);
          done("The backfill " + started.backfillId + " was started.");
        },
      }),
  );
}
