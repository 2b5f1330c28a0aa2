// Pools: their waiting jobs by customer, the jobs that they have released, and their pauses.

import { h, Fragment, useState } from "./library.js";
import { call, get, path, useData } from "./api.js";
import { Pages, usePages } from "./pages.js";
import { Instant } from "./time.js";
import { Json, withExact } from "./json.js";
import { Ask } from "./dialogs.js";
import { Facts, Fault, Field, Loaded, Row, Section, State, Table, Title, plural, to } from "./parts.js";

const PAGE = 25;
const AT_ONCE = 4;

const toPool = (ns, name) => to([ns, "pools", name]);
const stateOf = (stored) => (stored.pool.paused ? "PAUSED" : "ACTIVE");
const nameOf = (customer) => customer ?? "(no customer)";
const percent = (share) => Math.round(share * 1000) / 10 + " %";

/** Each pool of a list, completed by its status, which the list lacks; unchanged if the pool was deleted meanwhile. */
async function withStatus(ns, pools, signal) {
  const all = [...pools];
  const left = [...all.keys()];
  const work = async () => {
    for (let at = left.shift(); at !== undefined && !signal.aborted; at = left.shift()) {
      try {
        all[at] = await get(path("namespaces", ns, "pools", all[at].name), {}, signal);
      } catch (fault) {
        if (fault.status !== 404) {
          throw fault;
        }
      }
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  return all;
}

function waitingOf({ jobs, isAtLeast, customers }) {
  return (isAtLeast ? "at least " : "") + jobs + (jobs > 0 ? " of " + plural(customers, "customer") : "");
}

function cellsOf(ns, stored) {
  const status = stored.status;
  return [
    h("a", { href: toPool(ns, stored.name) }, stored.name),
    h(State, { of: stateOf(stored) }),
    stored.pool.queue ?? "pulled",
    String(stored.pool.depth ?? "–"),
    String(status?.visible ?? "–"),
    String(status?.inFlight ?? "–"),
    status ? waitingOf(status.waiting) : "–",
    h(Instant, { at: status?.oldestReadyAt }),
  ];
}

/** The list of pools. It is not loaded again automatically, because each status counts up to 10,000 rows. */
export function Pools({ ns }) {
  const load = async (next, signal) => {
    const page = await get(path("namespaces", ns, "pools"), { limit: PAGE, next }, signal);
    return { found: await withStatus(ns, page.pools, signal), next: page.next ?? null };
  };
  const list = usePages(load, ns, false);
  return h(
    Fragment,
    null,
    h(Title, { kind: ns + " /" }, "Pools"),
    h(Pages, { of: list }, (pools) =>
      h(Table, {
        label: "Pools",
        heads: ["Pool", "State", "Queue", "Depth", "In the queue", "In flight", "Waiting", "Oldest"],
        empty: "No pool is stored.",
        rows: pools.map((stored) => h(Row, { key: stored.name, cells: cellsOf(ns, stored) })),
      }),
    ),
  );
}

/** A bar for each customer; the longest bar has the full width. */
function Bars({ label, of, value, text, empty }) {
  const most = Math.max(...of.map(value), Number.MIN_VALUE);
  return h(Table, {
    label,
    heads: ["Customer", h("span", { class: "unseen" }, "Bar"), "Jobs"],
    empty,
    rows: of.map((each) =>
      h(Row, {
        key: nameOf(each.customer),
        cells: [
          nameOf(each.customer),
          h("progress", { max: most, value: value(each), "aria-label": label + ": " + nameOf(each.customer) }),
          text(each),
        ],
      }),
    ),
  });
}

function Waiting({ of }) {
  const shown = of.byCustomer.reduce((sum, each) => sum + each.jobs, 0);
  const more = of.customers - of.byCustomer.length;
  return h(
    Section,
    { title: "What waits", hint: of.isAtLeast ? "Further jobs wait; the first 10,000 rows are counted." : null },
    h(Bars, {
      label: "Waiting jobs",
      of: of.byCustomer,
      value: (each) => each.jobs,
      text: (each) => String(each.jobs),
      empty: "No job waits.",
    }),
    more > 0 && h("p", { class: "hint" }, plural(of.jobs - shown, "job") + " of " + plural(more, "further customer") + "."),
  );
}

function Served({ of }) {
  return h(
    Section,
    { title: "What it let go" },
    of.servedSince && h("p", { class: "hint" }, "Since ", h(Instant, { at: of.servedSince })),
    h(Bars, {
      label: "Shares",
      of: of.servedLastHour,
      value: (each) => each.share,
      text: (each) => each.jobs + ", " + percent(each.share),
      empty: "No job in the last hour.",
    }),
    of.servedOthers > 0 && h("p", { class: "hint" }, plural(of.servedOthers, "job") + " of further customers."),
  );
}

function Pause({ stored, store, ...rest }) {
  const run = (form) => store({ paused: true, reason: form.get("reason") || null }).then(() => "Paused.");
  return h(
    Ask,
    { title: "Pause " + stored.name, action: "Pause", run, ...rest },
    h("p", null, "The pool keeps its jobs and releases none. Jobs that it has released proceed."),
    h(
      Field,
      { label: "Reason" },
      h("input", { name: "reason", maxLength: 256, defaultValue: stored.pool.reason ?? "" }),
    ),
  );
}

/** Stores the definition unchanged except for the pause. Does not overwrite a change that was stored meanwhile. */
function Actions({ route, stored, onDone }) {
  const [asks, setAsks] = useState(false);
  const [fault, setFault] = useState(null);
  const close = () => setAsks(false);
  const store = (change) =>
    call("PUT", route, { headers: { "If-Match": stored.etag }, body: { ...stored.exact.pool, ...change } });
  const done = (text) => {
    close();
    setFault(null);
    onDone(text);
  };
  const resume = () => store({ paused: false, reason: null }).then(() => done("Resumed."), setFault);
  const paused = stored.pool.paused;
  return h(
    Fragment,
    null,
    h(
      "p",
      { class: "buttons" },
      paused && h("button", { type: "button", onClick: resume }, "Resume"),
      h(
        "button",
        { type: "button", class: "plain", onClick: () => setAsks(true) },
        paused ? "Change the reason" : "Pause",
      ),
    ),
    h(Fault, { of: fault }),
    asks && h(Pause, { stored, store, onDone: done, onClose: close }),
  );
}

function factsOf(stored) {
  const { pool, status } = stored;
  return [
    ["State", h(State, { of: stateOf(stored) })],
    ["Reason", pool.reason],
    ["Queue", pool.queue ?? "none: workers pull"],
    ["In the queue", pool.queue && status.visible + " of " + pool.depth],
    ["In flight", status.inFlight],
    ["Waiting", waitingOf(status.waiting)],
    ["Oldest", status.oldestReadyAt && h(Instant, { at: status.oldestReadyAt })],
    ["Next choice", status.nextChoiceAt && h(Instant, { at: status.nextChoiceAt })],
    ["Changed", h(Instant, { at: stored.updatedAt })],
    ["By", stored.updatedBy],
  ];
}

export function Pool({ ns, name }) {
  const route = path("namespaces", ns, "pools", name);
  const pool = useData((signal) => get(route, {}, signal, withExact), route);
  const [said, setSaid] = useState("");
  const done = (text) => {
    setSaid(text);
    pool.reload();
  };
  return h(
    Fragment,
    null,
    h(Title, { kind: ns + " / pool" }, name),
    h("p", { role: "status", class: said ? "said" : "unseen" }, said),
    h(Loaded, { from: pool }, (stored) => [
      stored.pool.description && h("p", null, stored.pool.description),
      h(Actions, { route, stored, onDone: done }),
      h(Facts, { of: factsOf(stored) }),
      h(Waiting, { of: stored.status.waiting }),
      h(Served, { of: stored.status }),
      h(Section, { title: "Document" }, h(Json, { of: stored.exact.pool, label: "Pool " + name })),
    ]),
  );
}
