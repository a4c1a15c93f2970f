import type { Box } from "../reshard/index.ts";

/**
 * Cuts a tensor into boxes that lie one after the other in row-major order, none larger than
 * `bytesMax` unless one element is.
 */
export function* bandsOf(
  shape: readonly number[],
  { elementBytes, bytesMax }: { readonly elementBytes: number; readonly bytesMax: number },
): Generator<Box> {
  if (shape.includes(0)) return;
  // The outermost dimension whose rows fit: those outside are walked one by one.
  let inner = elementBytes;
  let cut = shape.length;
  while (cut > 0 && inner * (shape[cut - 1] as number) <= bytesMax) {
    cut--;
    inner *= shape[cut] as number;
  }
  const whole = shape.slice(cut).map((count) => ({ start: 0, step: 1, count }));
  if (cut === 0) {
    yield whole;
    return;
  }
  const length = shape[cut - 1] as number;
  const rows = Math.max(1, Math.floor(bytesMax / inner));
  const outer = shape.slice(0, cut - 1);
  const combinations = outer.reduce((product, count) => product * count, 1);
  for (let combination = 0; combination < combinations; combination++) {
    let rest = combination;
    const fixed = outer.toReversed().map((count) => {
      const start = rest % count;
      rest = (rest - start) / count;
      return { start, step: 1, count: 1 };
    });
    for (let start = 0; start < length; start += rows) {
      const count = Math.min(rows, length - start);
      yield [...fixed.toReversed(), { start, step: 1, count }, ...whole];
    }
  }
}
