// Proposals for a place of a JSON text, from its JSON Schema. The text can be incomplete.

/**
 * The place of the cursor: whether it is in a key or a value, where this key or value begins and ends, the path to its
 * object or value, and the nodes above it. Null where nothing can be proposed.
 */
export function placeOf(source, cursor) {
  let at = 0;
  let place = null;
  const space = () => {
    while (/\s/.test(source[at] ?? "")) {
      at++;
    }
  };
  const string = () => {
    const begin = at++;
    while (at < source.length && source[at] !== '"' && source[at] !== "\n") {
      at += source[at] === "\\" ? 2 : 1;
    }
    const isClosed = source[at] === '"';
    const text = source.slice(begin + 1, at);
    at += isClosed ? 1 : 0;
    return { begin, end: at, text, isHere: cursor > begin && (isClosed ? cursor < at : cursor <= at) };
  };
  const word = () => {
    const begin = at;
    while (at < source.length && !/[\s,:[\]{}"]/.test(source[at])) {
      at++;
    }
    return { begin, end: at, text: source.slice(begin, at), isHere: cursor >= begin && cursor <= at };
  };
  const found = (kind, token, path, above) => {
    place ??= { kind, begin: token.begin, end: token.end, typed: source.slice(token.begin, cursor).replace(/^"/, ""), path, above };
  };
  const gap = (begin, kind, path, above) => {
    if (cursor >= begin && cursor <= at) {
      found(kind, { begin: cursor, end: cursor }, path, above);
    }
  };
  const value = (path, above) => {
    const begin = at;
    space();
    const next = source[at];
    if (source.slice(begin, at).includes("\n") && /^"[^"\n]*"\s*:/.test(source.slice(at, at + 200))) {
      gap(begin, "value", path, above);
      return { text: "" };
    }
    if (next === "{" || next === "[") {
      const node = { members: {}, items: [] };
      (next === "{" ? object : list)(node, path, [...above, node]);
      return node;
    }
    if (next === undefined || /[,:\]}]/.test(next)) {
      gap(begin, "value", path, above);
      return { text: "" };
    }
    const token = next === '"' ? string() : word();
    if (token.isHere) {
      found("value", token, path, above);
    }
    return token;
  };
  const object = (node, path, above) => {
    at++;
    for (;;) {
      const begin = at;
      space();
      gap(begin, "key", path, above);
      if (source[at] === "}" || source[at] === undefined) {
        at++;
        return;
      }
      if (source[at] === "]") {
        return;
      }
      if (/[,:{[]/.test(source[at])) {
        at++;
        continue;
      }
      member(node, path, above);
    }
  };
  const member = (node, path, above) => {
    const key = source[at] === '"' ? string() : word();
    if (key.isHere) {
      found("key", key, path, above);
    }
    space();
    if (source[at] === ":") {
      at++;
      node.members[key.text] = value([...path, key.text], above);
    }
  };
  const list = (node, path, above) => {
    at++;
    for (;;) {
      const begin = at;
      space();
      if (source[at] === "]" || source[at] === undefined) {
        gap(begin, "value", [...path, node.items.length], above);
        at++;
        return;
      }
      if (source[at] === "}") {
        return;
      }
      if (source[at] === "," || source[at] === ":") {
        at++;
        continue;
      }
      node.items.push(value([...path, node.items.length], above));
    }
  };
  value([], []);
  return place;
}

function resolved(root, schema) {
  const steps = schema.$ref?.startsWith("#/") ? schema.$ref.slice(2).split("/") : [];
  return steps.reduce((found, step) => found?.[step], root) ?? {};
}

/** Whether an object has the constants, or texts, that a condition names. */
function holds(condition, node) {
  const wanted = Object.entries(condition?.properties ?? {});
  const fits = (text, { const: value }) => (value === undefined ? text !== undefined : text === value);
  return wanted.length > 0 && wanted.every(([name, part]) => fits(node?.members?.[name]?.text, part));
}

/** A schema, completed by what its references and alternatives add for this object. */
function flat(root, schema, node, depth = 0) {
  if (!schema || depth > 12) {
    return [];
  }
  const alternatives = [...(schema.anyOf ?? []), ...(schema.oneOf ?? [])];
  const further = [
    schema.$ref && resolved(root, schema),
    ...(schema.allOf ?? []),
    ...alternatives.map((part) => ({ ...part, required: [] })),
    schema.if && (holds(schema.if, node) ? schema.then : schema.else),
  ];
  return [schema, ...further.filter(Boolean).flatMap((part) => flat(root, part, node, depth + 1))];
}

const below = (schema, step) =>
  typeof step === "number"
    ? schema.items
    : (schema.properties?.[step] ?? (typeof schema.additionalProperties === "object" ? schema.additionalProperties : null));

/** The schemas of a path; nodes are the objects and lists on the way. */
function schemasAt(root, path, nodes) {
  let found = flat(root, root, nodes[0]);
  path.forEach((step, index) => {
    found = found.map((schema) => below(schema, step)).filter(Boolean).flatMap((schema) => flat(root, schema, nodes[index + 1]));
  });
  return found;
}

const description = (root, schema) => flat(root, schema, null).find((part) => part.description)?.description ?? "";

function keysOf(root, schemas, node) {
  const required = new Set(schemas.flatMap((schema) => schema.required ?? []));
  const found = new Map();
  for (const schema of schemas) {
    for (const [name, of] of Object.entries(schema.properties ?? {})) {
      if (!(name in node.members) && of.type !== "null" && !found.has(name)) {
        found.set(name, { text: name, note: description(root, of), isRequired: required.has(name) });
      }
    }
  }
  return [...found.values()].sort((a, b) => b.isRequired - a.isRequired);
}

function valuesOf(schemas) {
  const found = new Map();
  const add = (value, note) => value !== null && found.set(JSON.stringify(value), note);
  for (const schema of schemas) {
    (schema.enum ?? []).forEach((value) => add(value, ""));
    [schema.const, schema.default].filter((value) => value !== undefined).forEach((value) => add(value, ""));
    const types = [schema.type].flat();
    types.includes("boolean") && [true, false].forEach((value) => add(value, ""));
    types.includes("object") && add({}, "an object");
    types.includes("array") && add([], "a list");
  }
  return [...found].map(([text, note]) => ({ text, note }));
}

/**
 * The proposals at the cursor: {place, items}. The items begin with the typed text. If no proposal begins with it, the
 * items contain it.
 */
export function proposals(root, source, cursor) {
  const place = placeOf(source, cursor);
  if (!place) {
    return null;
  }
  const schemas = schemasAt(root, place.path, place.above);
  const all = place.kind === "key" ? keysOf(root, schemas, place.above.at(-1)) : valuesOf(schemas);
  const typed = place.typed.toLowerCase();
  const bare = ({ text }) => text.replace(/^"/, "").toLowerCase();
  const begun = all.filter((item) => bare(item).startsWith(typed));
  const items = begun.length > 0 ? begun : all.filter((item) => bare(item).includes(typed));
  return items.length > 0 ? { place, items } : null;
}

/** The text that inserts an item at its place, with the commas and the colon that it needs. */
export function insertion(source, { kind, begin, end }, { text }) {
  const before = source.slice(0, begin).trimEnd();
  const after = source.slice(end).trimStart();
  const lead = /[{[,:]$/.test(before) ? "" : ", ";
  const tail = after.startsWith('"') ? "," : "";
  if (kind === "value") {
    return text + (after.startsWith('"') ? "," : "");
  }
  return lead + JSON.stringify(text) + (after.startsWith(":") ? "" : ": " + tail);
}
