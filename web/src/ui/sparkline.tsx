import { sparkPath } from "./spark-path.ts";
import type { Tone } from "./tone.ts";

/** A small curve without axes. Gaps are gaps. */
export function Sparkline(props: {
  readonly values: readonly (number | null)[];
  /** Read out instead of the picture. */
  readonly label: string;
  readonly tone?: Tone;
  readonly min?: number;
  readonly max?: number;
  readonly width?: number;
  readonly height?: number;
}) {
  const { width = 120, height = 28 } = props;
  return (
    <svg
      class="sparkline"
      viewBox={`0 0 ${width} ${height}`}
      width={width}
      height={height}
      role="img"
    >
      <title>{props.label}</title>
      <path
        d={sparkPath({ ...props, width, height })}
        fill="none"
        stroke={`var(--${props.tone ?? "accent"})`}
        stroke-width="1.5"
        stroke-linejoin="round"
        stroke-linecap="round"
      />
    </svg>
  );
}
