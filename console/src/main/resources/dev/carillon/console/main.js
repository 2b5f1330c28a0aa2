// The page: the menu, the view that the address names, and the state of the connection.

import { h, render, useState, useEffect, useLayoutEffect, useRef, Fragment } from "./library.js";
import { useConnection } from "./api.js";
import { to } from "./parts.js";
import { local } from "./time.js";
import { Overview } from "./overview.js";
import { Schedules } from "./schedules.js";
import { Schedule } from "./schedule.js";
import { JobList } from "./jobs.js";
import { Job } from "./job.js";
import { Editor } from "./editor.js";
import { Week } from "./week.js";
import { Simulate } from "./simulate.js";
import { Pools, Pool } from "./pools.js";
import { Programs, Program, Resources, Calendars } from "./registers.js";

const NAMESPACE = /^[A-Za-z0-9_-]{1,32}$/;

/** The views of a namespace: the segments of the address after the namespace, with null for a name. */
const VIEWS = [
  [["schedules"], Schedules, "Schedules"],
  [["schedules", null], Schedule],
  [["schedules", null, "edit"], Editor],
  [["new"], Editor],
  [["jobs"], JobList, "Jobs"],
  [["jobs", null], Job],
  [["week"], Week, "Week"],
  [["programs"], Programs, "Programs"],
  [["programs", null], Program],
  [["pools"], Pools, "Pools"],
  [["pools", null], Pool],
  [["resources"], Resources, "Resources"],
  [["calendars"], Calendars, "Calendars"],
];

function decoded(segment) {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}

/** The parts of the address: {segments, query}. */
function routeOf(hash) {
  const [path, query] = hash.replace(/^#\/?/, "").split("?");
  const segments = path.split("/").filter(Boolean).map(decoded);
  return { segments, query: Object.fromEntries(new URLSearchParams(query || "")) };
}

function viewOf({ segments, query }) {
  if (segments.length === 0) {
    return { View: Overview, props: {} };
  }
  if (segments[0] === "simulate" && segments.length === 1) {
    return { View: Simulate, props: {} };
  }
  const [ns, ...rest] = segments;
  const fits = ([pattern]) =>
    pattern.length === rest.length && pattern.every((part, i) => part === null || part === rest[i]);
  const match = NAMESPACE.test(ns) && VIEWS.find(fits);
  return match
    ? { View: match[1], props: { ns, name: match[0].includes(null) ? rest[1] : undefined, query } }
    : { View: Unknown, props: {} };
}

function Unknown() {
  return h(
    Fragment,
    null,
    h("h1", { tabIndex: -1 }, "No such view"),
    h("p", null, "The address names no view. ", h("a", { href: "#/" }, "To the overview")),
  );
}

function useRoute() {
  const [hash, setHash] = useState(location.hash);
  useEffect(() => {
    const change = () => setHash(location.hash);
    addEventListener("hashchange", change);
    return () => removeEventListener("hashchange", change);
  }, []);
  return hash;
}

/** The namespace of the menu's links: that of the address, otherwise the last one. */
function useNamespace(segments) {
  const named = segments.length > 1 && NAMESPACE.test(segments[0]) ? segments[0] : null;
  const [last, setLast] = useState(() => localStorage.getItem("namespace") || "default");
  useEffect(() => {
    if (named && named !== last) {
      localStorage.setItem("namespace", named);
      setLast(named);
    }
  }, [named]);
  return named || last;
}

function NamespaceField({ ns }) {
  const change = (event) => {
    event.preventDefault();
    const field = event.target.elements.namespace;
    if (field.checkValidity()) {
      location.hash = to([field.value, "schedules"]);
    }
  };
  return h(
    "form",
    { class: "namespace", onSubmit: change },
    h("label", { for: "namespace" }, "Namespace"),
    h("input", {
      id: "namespace",
      name: "namespace",
      key: ns,
      defaultValue: ns,
      required: true,
      pattern: "[A-Za-z0-9_\\-]{1,32}",
      title: "1 to 32 letters, digits, underscores and hyphens",
      spellcheck: false,
      autocomplete: "off",
    }),
    h("button", { type: "submit" }, "Go"),
  );
}

function Menu({ ns, segments }) {
  const here = segments[segments[0] === ns ? 1 : 0] ?? "";
  const item = (href, name, view) =>
    h("li", null, h("a", { href, "aria-current": here === view ? "page" : undefined }, name));
  return h(
    "nav",
    { "aria-label": "Views" },
    h(
      "ul",
      null,
      item("#/", "Overview", ""),
      VIEWS.filter(([, , name]) => name).map(([[view], , name]) => item(to([ns, view]), name, view)),
      item("#/simulate", "Simulate", "simulate"),
    ),
  );
}

function Connection() {
  const lostAt = useConnection();
  return h(
    "div",
    { role: "status", class: lostAt === null ? "unseen" : "lost" },
    lostAt === null
      ? ""
      : "The engine has not answered since " + local(lostAt) + ". The page tries again by itself.",
  );
}

/**
 * Moves the focus to the heading of a new view, so that a screen reader announces the view. This happens before the view
 * is drawn. A later move could take the focus from an element that the user has reached meanwhile.
 */
function useArrival(hash, main) {
  const first = useRef(true);
  const path = hash.split("?")[0];
  useLayoutEffect(() => {
    const heading = main.current.querySelector("h1");
    document.title = (heading?.textContent || "Console") + " · Carillon";
    if (!first.current) {
      heading?.focus({ preventScroll: true });
      scrollTo(0, 0);
    }
    first.current = false;
  }, [path]);
  return path;
}

function App() {
  const hash = useRoute();
  const route = routeOf(hash);
  const ns = useNamespace(route.segments);
  const main = useRef(null);
  const path = useArrival(hash, main);
  const { View, props } = viewOf(route);
  const skip = (event) => {
    event.preventDefault();
    main.current.querySelector("h1")?.focus();
  };
  return h(
    Fragment,
    null,
    h("a", { class: "skip", href: "#main", onClick: skip }, "To the content"),
    h(
      "header",
      { class: "top" },
      h("a", { href: "#/", class: "brand" }, h("img", { src: "icon.svg", alt: "" }), "Carillon"),
      h(Menu, { ns, segments: route.segments }),
      h(NamespaceField, { ns }),
    ),
    h(Connection),
    h("main", { id: "main", ref: main }, h(View, { key: path, ns, ...props })),
  );
}

const root = document.getElementById("app");
root.replaceChildren();
render(h(App), root);
