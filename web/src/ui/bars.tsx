import type { ComponentChildren } from "preact";
import type { Tone } from "./tone.ts";
import "./bars.css";

export interface BarPart {
  readonly label: string;
  readonly value: number;
  readonly tone?: Tone;
  /** Instead of a tone, one of the plain colours of plots (0 to 7). */
  readonly color?: number;
  /** Shown in the bar where there is room. */
  readonly letter?: string;
  readonly text?: string;
  /** Drawn with stripes: the same, but less sure. */
  readonly hatched?: boolean;
}

/** Horizontal bars that share one scale, each of one or more parts, with their figures as text. */
export function Bars(props: {
  readonly label: string;
  readonly rows: readonly {
    readonly label: ComponentChildren;
    readonly key: string;
    readonly parts: readonly BarPart[];
    readonly text?: string;
  }[];
  readonly max?: number;
}) {
  const totals = props.rows.map(({ parts }) => parts.reduce((sum, { value }) => sum + value, 0));
  const max = props.max ?? Math.max(...totals, Number.MIN_VALUE);
  return (
    <ul class="bars" aria-label={props.label}>
      {props.rows.map((row) => (
        <li key={row.key}>
          <span class="bars-label">{row.label}</span>
          <StackedBar parts={row.parts} max={max} />
          {row.text === undefined ? null : <span class="bars-text">{row.text}</span>}
        </li>
      ))}
    </ul>
  );
}

/** One bar of parts. `max` is what the whole width stands for; without it the parts fill it. */
export function StackedBar(props: {
  readonly parts: readonly BarPart[];
  readonly max?: number;
  readonly thick?: boolean;
}) {
  const total = props.parts.reduce((sum, { value }) => sum + value, 0);
  const max = Math.max(props.max ?? total, Number.MIN_VALUE);
  const words = props.parts.map(({ label, value, text }) => `${label}: ${text ?? String(value)}`);
  return (
    <span
      class={props.thick === true ? "bar bar-thick" : "bar"}
      role="img"
      aria-label={words.join(", ")}
    >
      {props.parts
        .filter(({ value }) => value > 0)
        .map((part) => (
          <span
            key={part.label}
            class={part.hatched === true ? "bar-part bar-hatched" : "bar-part"}
            title={`${part.label}: ${part.text ?? String(part.value)}`}
            style={{ flexBasis: `${(part.value / max) * 100}%`, backgroundColor: colorOf(part) }}
          >
            {part.letter !== undefined && part.value / max > 0.04 ? part.letter : ""}
          </span>
        ))}
    </span>
  );
}

function colorOf(part: BarPart): string {
  if (part.tone !== undefined) return `var(--${part.tone})`;
  return `var(--plot-${(part.color ?? 0) % 8})`;
}
