import type { ComponentChildren } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { path } from "../router.ts";
import "./page.css";

/** Where the heading was last focused: only another page moves the focus, not a reload of data. */
let focusedPath = typeof window === "undefined" ? "" : window.location.pathname;

/** The body of a page: its heading, which becomes the document's title and takes the focus. */
export function Page(props: {
  readonly title: string;
  /** Instead of the title in the heading, where it is more than text. */
  readonly heading?: ComponentChildren;
  readonly lede?: ComponentChildren;
  readonly actions?: ComponentChildren;
  readonly children?: ComponentChildren;
}) {
  const heading = useRef<HTMLHeadingElement>(null);
  const here = path.value;
  useEffect(() => {
    document.title = `${props.title} · Tessera`;
  }, [props.title]);
  useEffect(() => {
    if (focusedPath === here) return;
    focusedPath = here;
    heading.current?.focus({ preventScroll: true });
  }, [here]);
  return (
    <div class="page">
      <header class="page-head">
        <div>
          <h1 ref={heading} tabIndex={-1}>
            {props.heading ?? props.title}
          </h1>
          {props.lede === undefined ? null : <p class="page-lede">{props.lede}</p>}
        </div>
        {props.actions === undefined ? null : <div class="row page-actions">{props.actions}</div>}
      </header>
      {props.children}
    </div>
  );
}
