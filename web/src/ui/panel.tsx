import type { ComponentChildren } from "preact";
import { useId } from "preact/hooks";
import "./panel.css";

/** A part of a page with a heading. */
export function Panel(props: {
  readonly title: ComponentChildren;
  readonly hint?: ComponentChildren;
  readonly actions?: ComponentChildren;
  /** Without room around its content: tables, plots. */
  readonly flush?: boolean;
  readonly class?: string;
  readonly children?: ComponentChildren;
}) {
  const id = useId();
  return (
    <section class={`panel ${props.class ?? ""}`} aria-labelledby={id}>
      <header class="panel-head">
        <div>
          <h2 id={id}>{props.title}</h2>
          {props.hint === undefined ? null : <p class="panel-hint">{props.hint}</p>}
        </div>
        {props.actions === undefined ? null : <div class="row">{props.actions}</div>}
      </header>
      <div class={props.flush === true ? "panel-flush" : "panel-body"}>{props.children}</div>
    </section>
  );
}
