import type { ComponentChildren } from "preact";
import "./field.css";

/** A control with its name, what it means and what is wrong with it. The control goes inside. */
export function Field(props: {
  readonly label: string;
  readonly hint?: ComponentChildren;
  readonly error?: string | undefined;
  readonly inline?: boolean;
  readonly children?: ComponentChildren;
}) {
  return (
    <label class={props.inline === true ? "field field-inline" : "field"}>
      <span class="field-label">{props.label}</span>
      {props.children}
      {props.hint === undefined ? null : <span class="field-hint">{props.hint}</span>}
      {props.error === undefined ? null : (
        <span class="field-error" role="alert">
          {props.error}
        </span>
      )}
    </label>
  );
}
