// The list of proposals at the cursor of a text field, for keyboard and mouse.

import { h, useEffect, useId, useState, Fragment } from "./library.js";
import { get } from "./api.js";
import { insertion, proposals } from "./complete.js";

const MOST = 12;

/** A schema that is loaded once; without it there are no proposals. */
function useSchema(load) {
  const [schema, setSchema] = useState(null);
  useEffect(() => {
    load().then(setSchema, () => setSchema(null));
  }, []);
  return schema;
}

export const useScheduleSchema = () => useSchema(() => get("schedule.schema.json"));

/** The schema of scenarios, whose schedules follow the JSON Schema of schedules. */
async function scenarioSchema() {
  const [api, schedule] = await Promise.all([get("openapi.json"), get("schedule.schema.json")]);
  const { components } = api;
  const schemas = { ...components.schemas, ScheduleDocument: schedule };
  return { ...schemas.Scenario, components: { schemas }, definitions: schedule.definitions };
}

export const useScenarioSchema = () => useSchema(scenarioSchema);

/** The position of the list, below the line of its place, relative to the parent of the text field. */
function positionOf(field, source, begin) {
  const style = getComputedStyle(field);
  const before = source.slice(0, begin).split("\n");
  const pen = document.createElement("canvas").getContext("2d");
  pen.font = style.fontSize + " " + style.fontFamily;
  const left = field.offsetLeft + parseFloat(style.paddingLeft) + before.at(-1).length * pen.measureText("0").width;
  const top = field.offsetTop + parseFloat(style.paddingTop) + before.length * parseFloat(style.lineHeight);
  return { top: top - field.scrollTop + "px", left: Math.max(left - field.scrollLeft, 0) + "px" };
}

/** Replaces a range by a text, so that the user can undo it. */
function replace(field, { begin, end }, text) {
  field.focus();
  field.setSelectionRange(begin, end);
  document.execCommand("insertText", false, text);
  if (/^(\{\}|\[\])/.test(text)) {
    field.setSelectionRange(begin + 1, begin + 1);
  }
}

function Option({ id, item, isChosen, onPick }) {
  const pick = (event) => {
    event.preventDefault(); // The text keeps the focus.
    onPick();
  };
  return h(
    "li",
    { id, role: "option", "aria-selected": String(isChosen), onMouseDown: pick },
    h("code", null, item.text),
    item.isRequired && h("b", null, " required"),
    item.note && h("small", null, " " + item.note),
  );
}

/**
 * Shows proposals on Ctrl+Space, and while a name is typed. Arrow keys select, Enter and Tab insert, Escape closes.
 * @return the attributes of the text field, its handlers for typing and scrolling, and the list
 */
export function useCompletion(schema, source, field) {
  const id = useId();
  const [open, setOpen] = useState(null);
  const close = () => setOpen(null);
  const propose = (isAsked) => {
    const { value, selectionStart } = field.current;
    const found = schema && proposals(schema, value, selectionStart);
    const isFit = found && (isAsked || (found.place.typed && found.items[0].text !== found.place.typed));
    setOpen(isFit ? { ...found, items: found.items.slice(0, MOST), at: 0 } : null);
  };
  const take = (item) => {
    close();
    replace(field.current, open.place, insertion(field.current.value, open.place, item));
  };
  const move = (step) => setOpen({ ...open, at: (open.at + step + open.items.length) % open.items.length });
  const keys = {
    ArrowDown: () => move(1),
    ArrowUp: () => move(-1),
    Enter: () => take(open.items[open.at]),
    Tab: () => take(open.items[open.at]),
    Escape: close,
  };
  const onKeyDown = (event) => {
    const isAsked = event.ctrlKey && event.code === "Space";
    const key = isAsked ? () => propose(true) : open && !event.shiftKey && keys[event.key];
    if (key) {
      event.preventDefault();
      key();
    } else if (["ArrowLeft", "ArrowRight", "Home", "End"].includes(event.key)) {
      close();
    }
  };
  const onInput = (event) => (event.inputType === "insertText" && event.data?.length === 1 ? propose(false) : close());
  const attributes = {
    onKeyDown,
    onBlur: close,
    onClick: close,
    "aria-autocomplete": schema ? "list" : undefined,
    "aria-controls": open ? id : undefined,
    "aria-activedescendant": open ? id + open.at : undefined,
  };
  const menu = h(
    Fragment,
    null,
    h("p", { role: "status", class: "unseen" }, open ? open.items.length + " proposals, " + open.items[open.at].text : ""),
    open &&
      h(
        "ul",
        { id, class: "proposals", role: "listbox", "aria-label": "Proposals", style: positionOf(field.current, source, open.place.begin) },
        open.items.map((item, at) => h(Option, { key: item.text, id: id + at, item, isChosen: at === open.at, onPick: () => take(item) })),
      ),
  );
  return { attributes, onInput, onMove: () => setOpen((before) => before && { ...before }), menu };
}
