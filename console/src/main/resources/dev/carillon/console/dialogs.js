// Dialogs that ask before an action.

import { h, useState, useLayoutEffect, useRef, useId } from "./library.js";
import { Fault } from "./parts.js";

/**
 * A dialog that keeps the focus. Escape closes it, even if pressed before the next frame is drawn. It is closed before it
 * is removed, because only closing returns the focus to the element that opened it. A removed dialog is not reported as
 * closed: the next dialog can already be open.
 */
export function Dialog({ title, onClose, children }) {
  const element = useRef(null);
  const id = useId();
  useLayoutEffect(() => {
    const own = element.current;
    own.showModal();
    return () => own.close();
  }, []);
  return h(
    "dialog",
    { ref: element, onClose: () => element.current && onClose(), "aria-labelledby": id },
    h("h2", { id }, title),
    children,
  );
}

/**
 * A form in a dialog. It closes when the action succeeds. Otherwise it shows why the action failed.
 * @param run takes the form's data; onDone receives its result
 */
export function Ask({ title, action, danger, run, onDone, onClose, children }) {
  const [fault, setFault] = useState(null);
  const [busy, setBusy] = useState(false);
  const submit = async (event) => {
    event.preventDefault();
    setBusy(true);
    setFault(null);
    try {
      onDone(await run(new FormData(event.target)));
    } catch (error) {
      setFault(error);
      setBusy(false);
    }
  };
  return h(
    Dialog,
    { title, onClose },
    h(
      "form",
      { onSubmit: submit },
      children,
      h(Fault, { of: fault }),
      h(
        "p",
        { class: "buttons" },
        h("button", { type: "submit", disabled: busy, class: danger ? "danger" : "" }, action),
        h("button", { type: "button", class: "plain", onClick: onClose }, "Close"),
      ),
    ),
  );
}
