/** The curve as an SVG path; a value alone between gaps is a dot. */
export function sparkPath(given: {
  readonly values: readonly (number | null)[];
  readonly min?: number;
  readonly max?: number;
  readonly width: number;
  readonly height: number;
}): string {
  const known = given.values.filter((value) => value !== null);
  if (known.length === 0) return "";
  const low = given.min ?? Math.min(...known);
  const high = given.max ?? Math.max(...known);
  const pad = 2;
  const stepX = (given.width - 2 * pad) / Math.max(1, given.values.length - 1);
  const scaleY = high > low ? (given.height - 2 * pad) / (high - low) : 0;
  let path = "";
  let isDown = false;
  for (const [at, value] of given.values.entries()) {
    if (value === null) {
      isDown = false;
      continue;
    }
    const x = (pad + at * stepX).toFixed(1);
    const y = (
      scaleY === 0 ? given.height / 2 : given.height - pad - (value - low) * scaleY
    ).toFixed(1);
    path += isDown ? `L${x} ${y}` : `M${x} ${y}h0.01`;
    isDown = true;
  }
  return path;
}
