// Calls of the API, and data that views keep up to date by repeated calls.

import { useState, useEffect, useRef, useCallback } from "./library.js";

const ROOT = new URL("../v1/", document.baseURI);
export const POLL_MILLIS = 4000;
const FIRST_PAUSE_MILLIS = 1000;
const LONGEST_PAUSE_MILLIS = 15000;
const TIMEOUT_MILLIS = 35000;

/** An answer that refuses a call: a problem document of RFC 9457. */
export class Refusal extends Error {
  constructor(status, problem) {
    super(problem.detail || problem.title || "the answer has status " + status);
    this.status = status;
    this.title = problem.title || "Refused";
    this.errors = Array.isArray(problem.errors) ? problem.errors : [];
  }
}

/** The statuses of refusals after which the same call can succeed later. */
const THROTTLED = 429;
const PASSING = new Set([THROTTLED, 503]);

/** The engine has not answered. */
export class Unreachable extends Error {}

/** Whether the call that failed can succeed later without a change. */
export const isPassing = (fault) => fault instanceof Unreachable || PASSING.has(fault?.status);

const later = (millis, signal) =>
  new Promise((resolve) => {
    const timer = setTimeout(resolve, millis);
    signal.addEventListener("abort", () => (clearTimeout(timer), resolve()), { once: true });
  });

/** Makes a call, again and again while it is throttled, until it has another outcome or the signal ends it. */
export async function throttled(make, signal) {
  for (;;) {
    try {
      return await make();
    } catch (fault) {
      if (fault.status !== THROTTLED) {
        throw fault;
      }
      await later(FIRST_PAUSE_MILLIS, signal);
      if (signal.aborted) {
        throw fault;
      }
    }
  }
}

/** Whether the engine answers, and the views that are notified of changes. */
export const connection = {
  lostAt: null,
  listeners: new Set(),
  set(lostAt) {
    if ((this.lostAt === null) !== (lostAt === null)) {
      this.lostAt = lostAt;
      this.listeners.forEach((listener) => listener());
    }
  },
};

export function useConnection() {
  const [lostAt, setLostAt] = useState(connection.lostAt);
  useEffect(() => {
    const listener = () => setLostAt(connection.lostAt);
    connection.listeners.add(listener);
    return () => connection.listeners.delete(listener);
  }, []);
  return lostAt;
}

/** A path below /v1/. Names and ids are escaped, so that each stays within its segment. */
export function path(...segments) {
  return segments.map(escaped).join("/");
}

/** Escapes a segment. Refuses "." and "..": they would be resolved to another path, even if their dots are escaped. */
function escaped(segment) {
  if (/^\.{1,2}$/.test(segment)) {
    throw new Refusal(400, { title: "The name is invalid", detail: "a name cannot consist of full stops only" });
  }
  return encodeURIComponent(segment);
}

function address(route, query) {
  const url = new URL(ROOT + route);
  for (const [name, value] of Object.entries(query || {})) {
    if (value !== undefined && value !== null && value !== "") {
      url.searchParams.set(name, value);
    }
  }
  return url;
}

async function fetched(url, request) {
  try {
    return await fetch(url, request);
  } catch (fault) {
    if (request.signal.reason === "obsolete") {
      throw fault;
    }
    throw new Unreachable("the engine does not answer: " + fault.message);
  }
}

/** The statuses of a proxy in front of the engine while the engine does not answer. */
const AWAY = new Set([502, 503, 504]);

async function problemOf(answer) {
  try {
    return (await answer.json()) || {};
  } catch {
    return {};
  }
}

async function refuse(answer) {
  const problem = await problemOf(answer);
  if (AWAY.has(answer.status) && !problem.type) {
    throw new Unreachable("the engine does not answer: status " + answer.status);
  }
  throw new Refusal(answer.status, problem);
}

function limited(signal) {
  const limit = AbortSignal.timeout(TIMEOUT_MILLIS);
  return signal ? AbortSignal.any([signal, limit]) : limit;
}

/**
 * Calls the API and returns {body, etag}. Throws Refusal or Unreachable.
 *
 * @param body a value, or a text that is JSON
 * @param parse makes the body of the answer from its text
 */
export async function call(method, route, { body, query, headers, signal, parse = JSON.parse } = {}) {
  const request = { method, headers: { ...headers }, signal: limited(signal), cache: "no-store" };
  if (body !== undefined) {
    request.headers["Content-Type"] = "application/json";
    request.body = typeof body === "string" ? body : JSON.stringify(body);
  }
  try {
    const answer = await fetched(address(route, query), request);
    if (!answer.ok) {
      await refuse(answer);
    }
    const text = await answer.text();
    connection.set(null);
    return { body: text ? parse(text) : null, etag: answer.headers.get("ETag") };
  } catch (fault) {
    if (fault instanceof Unreachable) {
      connection.set(connection.lostAt ?? Date.now());
    } else if (fault instanceof Refusal) {
      connection.set(null);
    }
    throw fault;
  }
}

export const get = async (route, query, signal, parse) => (await call("GET", route, { query, signal, parse })).body;

export const post = async (route, body = {}) => (await call("POST", route, { body })).body;

/**
 * Data that is loaded at once, and again every few seconds while the page is visible. Pauses grow
 * while loading fails. Loaded data stays while the engine does not answer.
 *
 * @param load takes an AbortSignal
 * @param key a text; when it changes, other data is loaded
 */
export function useData(load, key, { poll = true } = {}) {
  const [state, setState] = useState({ key: null, data: null, error: null });
  const current = useRef(load);
  const again = useRef(() => {});
  current.current = load;
  useEffect(() => {
    const end = new AbortController();
    let timer = null;
    let failures = 0;
    let running = false;
    let isAsked = false;
    const pause = () =>
      failures === 0
        ? POLL_MILLIS
        : Math.min(FIRST_PAUSE_MILLIS * 2 ** (failures - 1), LONGEST_PAUSE_MILLIS);
    const schedule = () => {
      clearTimeout(timer);
      if (!end.signal.aborted && !document.hidden && (poll || failures > 0)) {
        timer = setTimeout(run, pause());
      }
    };
    const run = async () => {
      if (running) {
        return;
      }
      running = true;
      try {
        const data = await current.current(end.signal);
        failures = 0;
        if (!end.signal.aborted) {
          setState({ key, data, error: null });
        }
      } catch (error) {
        failures = isPassing(error) ? failures + 1 : 0;
        if (!end.signal.aborted) {
          setState((before) => ({ key, data: before.key === key ? before.data : null, error }));
        }
      }
      running = false;
      if (isAsked && !end.signal.aborted) {
        isAsked = false;
        run();
      } else {
        schedule();
      }
    };
    // Loads at once, or after the running load, whose answer can be older than the change that the caller wants to see.
    const ask = () => {
      isAsked = running;
      run();
    };
    const visible = () => {
      clearTimeout(timer);
      if (!document.hidden && (poll || failures > 0)) {
        run();
      }
    };
    again.current = ask;
    document.addEventListener("visibilitychange", visible);
    run();
    return () => {
      end.abort("obsolete");
      clearTimeout(timer);
      document.removeEventListener("visibilitychange", visible);
    };
  }, [key, poll]);
  const reload = useCallback(() => again.current(), []);
  return state.key === key ? { ...state, reload } : { data: null, error: null, reload };
}
