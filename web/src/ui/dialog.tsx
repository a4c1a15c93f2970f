import type { ComponentChildren } from "preact";
import { useId, useLayoutEffect, useRef } from "preact/hooks";
import "./dialog.css";

/** A dialog of the browser: it keeps the focus inside, and Escape closes it. */
export function Dialog(props: {
  readonly open: boolean;
  readonly title: string;
  readonly onClose: () => void;
  readonly wide?: boolean;
  /** What it shows would be lost: only what is inside closes it. */
  readonly locked?: boolean;
  readonly children?: ComponentChildren;
}) {
  const element = useRef<HTMLDialogElement>(null);
  const id = useId();
  // A selection of text that ends outside is no click on the ground.
  const beganOutside = useRef(false);
  // Before the page is painted: an empty dialog would be seen, and the focus be nowhere.
  useLayoutEffect(() => {
    const dialog = element.current;
    if (dialog === null) return;
    if (props.open && !dialog.open) {
      dialog.showModal();
      // The browser would begin with the button that closes.
      dialog.querySelector<HTMLElement>("input, select, textarea")?.focus();
    }
    if (!props.open && dialog.open) dialog.close();
  }, [props.open]);
  return (
    <dialog
      ref={element}
      class={props.wide === true ? "dialog dialog-wide" : "dialog"}
      aria-labelledby={id}
      onCancel={(event) => {
        event.preventDefault();
        if (props.locked !== true) props.onClose();
      }}
      // Browsers close on a second Escape without asking, and on a gesture of theirs.
      onKeyDown={(event) => {
        if (event.key === "Escape" && props.locked === true) event.preventDefault();
      }}
      onClose={() => {
        if (!props.open) return;
        if (props.locked === true) element.current?.showModal();
        else props.onClose();
      }}
      onPointerDown={(event) => {
        beganOutside.current = event.target === element.current;
      }}
      onClick={(event) => {
        const isOutside = event.target === element.current && beganOutside.current;
        if (isOutside && props.locked !== true) props.onClose();
      }}
    >
      {props.open ? (
        <div class="dialog-inside">
          <header class="dialog-head">
            <h2 id={id}>{props.title}</h2>
            {props.locked === true ? null : (
              <button type="button" class="dialog-close" aria-label="Close" onClick={props.onClose}>
                ✕
              </button>
            )}
          </header>
          {props.children}
        </div>
      ) : null}
    </dialog>
  );
}
