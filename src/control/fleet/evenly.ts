/** Places from the first to the last of `count`, at most `max` of them, evenly apart. */
export function evenly(count: number, max: number): readonly number[] {
  if (count <= max) return Array.from({ length: count }, (_, at) => at);
  return Array.from({ length: max }, (_, at) => Math.round((at * (count - 1)) / (max - 1)));
}
