// Lists that are loaded page by page.

import { h, useEffect, useRef, useState } from "./library.js";
import { POLL_MILLIS, Unreachable, get, isPassing, useConnection } from "./api.js";
import { Instant } from "./time.js";
import { Fault } from "./parts.js";

/** Replaces items that occur again: a job can move to a later page while the list is loaded. */
const distinct = (items) => [...new Map(items.map((item) => [item.jobId ?? item.name, item])).values()];

const PAGE = 50;
const START = { items: [], next: null, busy: true, fault: null, read: 0, asOf: null };

/**
 * The loaded pages of a list. The first page is loaded again regularly while it is the only one, and in any list while
 * the engine does not answer, so that its return is noticed; until then the loaded items stay. A list of which nothing
 * could be loaded is loaded again after a throttled call, too.
 * @param loadPage takes the cursor, an AbortSignal and a function that receives the number of items read so far;
 *   returns {found, next} and further values of the list
 * @param key a text; when it changes, another list begins
 */
export function usePages(loadPage, key, isRefreshed = true) {
  const [list, setList] = useState(START);
  const [pages, setPages] = useState(1);
  const running = useRef(null);
  const isLost = useConnection() !== null;
  const wasLost = useRef(isLost);
  const isPolled = isRefreshed && pages === 1;

  const load = async (next, before, quiet) => {
    running.current?.abort("obsolete");
    const own = (running.current = new AbortController());
    const set = (change) => own.signal.aborted || setList((list) => ({ ...list, ...change }));
    const asOf = next ? list.asOf : new Date().toISOString();
    set(quiet ? {} : { busy: true, fault: null });
    try {
      const { found, ...rest } = await loadPage(next, own.signal, (read) => quiet || set({ read }));
      set({ ...rest, items: distinct([...before, ...found]), busy: false, fault: null, asOf });
    } catch (fault) {
      set({ busy: false, fault });
    }
    if (running.current === own) {
      running.current = null;
    }
  };
  useEffect(() => {
    setPages(1);
    setList(START);
    load(null, [], false);
    return () => running.current?.abort("obsolete");
  }, [key]);
  useEffect(() => {
    const refresh = () => document.hidden || running.current || load(null, [], true);
    const isDue = isLost || isPolled || (list.items.length === 0 && isPassing(list.fault));
    const timer = isDue && !list.busy ? setInterval(refresh, POLL_MILLIS) : null;
    return () => clearInterval(timer);
  }, [key, pages, list.busy, list.fault, isLost]);
  const more = () => {
    setPages(pages + 1);
    load(list.next, list.items, false);
  };
  const reload = () => {
    setPages(1);
    load(null, [], false);
  };
  useEffect(() => {
    if (wasLost.current && !isLost) {
      reload();
    }
    wasLost.current = isLost;
  }, [isLost]);
  return { ...list, isPolled, more, reload };
}

/** When a list was read that is not polled, with a button that reads it again from its first page. */
export function AsOf({ of }) {
  return (
    of.asOf &&
    !of.isPolled &&
    h(
      "p",
      { class: "buttons" },
      h("span", null, "As of ", h(Instant, { at: of.asOf, far: false }), "."),
      h("button", { type: "button", class: "plain", onClick: of.reload }, "Reload"),
    )
  );
}

/** The pages of a route whose answers have their items in a member. */
export function useRoute(route, member) {
  const load = async (next, signal) => {
    const page = await get(route, { limit: PAGE, next }, signal);
    return { found: page[member], next: page.next ?? null };
  };
  return usePages(load, route);
}

/** Shows the loaded items of a list, why they cannot be read, and a button for the next page. */
export function Pages({ of, more = "Load more", children }) {
  const isEmpty = of.items.length === 0;
  return [
    h(Fault, { of: of.fault instanceof Unreachable && !isEmpty ? null : of.fault }),
    h(AsOf, { of }),
    of.busy && isEmpty && h("p", { class: "hint", role: "status" }, "Loading…"),
    (!isEmpty || (!of.busy && !of.fault)) && children(of.items),
    of.next && h("button", { type: "button", class: "plain", disabled: of.busy, onClick: of.more }, more),
  ];
}
