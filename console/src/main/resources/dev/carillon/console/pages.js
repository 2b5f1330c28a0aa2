// Lists that are loaded page by page.

import { useEffect, useRef, useState } from "./library.js";
import { useConnection } from "./api.js";

const REFRESH_MILLIS = 5000;
const START = { items: [], next: null, busy: true, fault: null, read: 0 };

/**
 * The loaded pages of a list. The first page is loaded again regularly while it is the only one, and in any list while
 * the engine does not answer, so that its return is noticed. Until then the loaded items stay.
 * @param loadPage takes the cursor, an AbortSignal and a function that receives the number of items read so far;
 *   returns {found, next} and further values of the list
 * @param key a text; when it changes, another list begins
 */
export function usePages(loadPage, key, isRefreshed = true) {
  const [list, setList] = useState(START);
  const [pages, setPages] = useState(1);
  const running = useRef(new AbortController());
  const isLost = useConnection() !== null;
  const wasLost = useRef(isLost);

  const load = async (next, before, quiet) => {
    running.current.abort("obsolete");
    const own = (running.current = new AbortController());
    const set = (change) => own.signal.aborted || setList((list) => ({ ...list, ...change }));
    set(quiet ? {} : { busy: true, fault: null });
    try {
      const { found, ...rest } = await loadPage(next, own.signal, (read) => quiet || set({ read }));
      set({ ...rest, items: [...before, ...found], busy: false, fault: null });
    } catch (fault) {
      set({ busy: false, fault });
    }
  };
  useEffect(() => {
    setPages(1);
    setList(START);
    load(null, [], false);
    return () => running.current.abort("obsolete");
  }, [key]);
  useEffect(() => {
    const refresh = () => document.hidden || load(null, [], true);
    const isDue = isLost || (isRefreshed && pages === 1);
    const timer = isDue && !list.busy ? setInterval(refresh, REFRESH_MILLIS) : null;
    return () => clearInterval(timer);
  }, [key, pages, list.busy, isLost]);
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
  return { ...list, more, reload };
}
