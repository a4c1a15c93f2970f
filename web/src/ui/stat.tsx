import type { ComponentChildren } from "preact";
import type { Tone } from "./tone.ts";
import "./stat.css";

/** One figure with its name. */
export function Stat(props: {
  readonly label: string;
  readonly value: ComponentChildren;
  readonly unit?: string;
  readonly hint?: ComponentChildren;
  readonly tone?: Tone;
  readonly large?: boolean;
}) {
  const tone = props.tone === undefined ? "" : `tone-${props.tone}`;
  return (
    <div class={props.large === true ? "stat stat-large" : "stat"}>
      <div class="stat-label">{props.label}</div>
      <div class={`stat-value ${tone}`}>
        {props.value}
        {props.unit === undefined ? null : <span class="stat-unit"> {props.unit}</span>}
      </div>
      {props.hint === undefined ? null : <div class="stat-hint">{props.hint}</div>}
    </div>
  );
}
