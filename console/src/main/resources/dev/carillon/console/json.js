// Shows JSON in colours, and finds the places of JSON pointers in its text.

import { h } from "./library.js";

const TOKEN = /("(?:\\.|[^"\\])*")(\s*:)?|\b(true|false|null)\b|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g;

function kind(match) {
  if (match[1]) {
    return match[2] ? "key" : "string";
  }
  return match[3] ? "word" : "number";
}

/** The text in pieces: each token with its kind, and the text between the tokens without a kind. */
function pieces(text) {
  const found = [];
  let end = 0;
  for (const match of text.matchAll(TOKEN)) {
    const token = match[1] || match[0];
    found.push(text.slice(end, match.index), h("span", { class: kind(match) }, token));
    end = match.index + token.length;
  }
  return [...found, text.slice(end)];
}

export function Json({ of, label }) {
  const text = JSON.stringify(of, null, 2) ?? "";
  return h("pre", { class: "json", tabIndex: 0, role: "region", "aria-label": label }, pieces(text));
}

/** Any value of JSON that a worker or a caller sent. */
export const text = (value) => (typeof value === "string" ? value : JSON.stringify(value, null, 2));

/** Where each value of a JSON text begins: offsets by JSON pointer. */
export function places(source) {
  const found = new Map();
  let at = 0;
  const space = () => {
    while (/\s/.test(source[at] ?? "")) {
      at++;
    }
  };
  const string = () => {
    const begin = at++;
    while (at < source.length && source[at] !== '"') {
      at += source[at] === "\\" ? 2 : 1;
    }
    at++;
    return JSON.parse(source.slice(begin, at));
  };
  const members = (pointer, close, key) => {
    at++;
    space();
    for (let index = 0; at < source.length && source[at] !== close; index++) {
      const begin = at;
      const name = key ? member() : index;
      const below = pointer + "/" + String(name).replace(/~/g, "~0").replace(/\//g, "~1");
      value(below);
      if (key) {
        found.set(below, begin);
      }
      space();
      at += source[at] === "," ? 1 : 0;
      space();
    }
    at++;
  };
  const member = () => {
    const name = string();
    space();
    at++;
    return name;
  };
  const value = (pointer) => {
    space();
    found.set(pointer, at);
    if (source[at] === "{") {
      members(pointer, "}", true);
    } else if (source[at] === "[") {
      members(pointer, "]", false);
    } else if (source[at] === '"') {
      string();
    } else {
      while (at < source.length && !/[\s,\]}]/.test(source[at])) {
        at++;
      }
    }
  };
  value("");
  return found;
}

/** Where a text stops being JSON, as far as the message of the browser names a place; null if it names none. */
export function placeIn(message, source) {
  const at = /position (\d+)/.exec(message);
  const end = /end of (JSON|data)/i.test(message) ? source.length : null;
  return at ? Number(at[1]) : end;
}

/** The offset of the value, or of the nearest one that holds it. */
export function placeOf(found, pointer) {
  let nearest = pointer;
  while (nearest && !found.has(nearest)) {
    nearest = nearest.slice(0, nearest.lastIndexOf("/"));
  }
  return found.get(nearest) ?? 0;
}

export const lineOf = (source, offset) => source.slice(0, offset).split("\n").length;

/** Whether the browser can write a number as it was read. */
const KEEPS = typeof JSON.rawJSON === "function";

/** JavaScript rounds long numbers, and drops zeros at the end. */
const isKept = (number) => JSON.stringify(Number(number)) === number;

/**
 * The value of a JSON text, for JSON.stringify to write: each number that would change is kept as its text. Such a
 * number is an object, so no code can calculate with it.
 */
export function exact(source) {
  const keep = (_, value, context) =>
    KEEPS && typeof value === "number" && !isKept(context.source) ? JSON.rawJSON(context.source) : value;
  return JSON.parse(source, keep);
}

/**
 * The value of a JSON object, for code that calculates with its numbers. Its member "exact" is the exact value, to show
 * or to send.
 */
export const withExact = (source) => ({ ...JSON.parse(source), exact: exact(source) });

/** The numbers of a JSON text that this browser cannot keep. */
export function changedNumbers(source) {
  const tokens = KEEPS ? [] : [...source.matchAll(TOKEN)];
  return tokens
    .filter((match) => kind(match) === "number" && !isKept(match[0]))
    .map(([number]) => number);
}

/** The exact value of a text that is JSON; any other text unchanged. */
export function exactOrText(source) {
  try {
    return exact(source);
  } catch {
    return source;
  }
}
