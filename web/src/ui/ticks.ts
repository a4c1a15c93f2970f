/** Round places on an axis from `from` to `to`, about `wanted` of them. */
export function niceTicks(from: number, to: number, wanted: number): readonly number[] {
  if (!(to > from) || !Number.isFinite(to - from) || wanted < 1) return [];
  const rough = (to - from) / wanted;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((factor) => factor * power).find((size) => size >= rough) ?? rough;
  const first = Math.ceil(from / step - 1e-9);
  const last = Math.floor(to / step + 1e-9);
  // Multiplied, not added up: sums of a tenth drift.
  return Array.from({ length: Math.max(0, last - first + 1) }, (_, at) =>
    Number(((first + at) * step).toPrecision(12)),
  );
}
