export { timeText } from "../../chaos/judge/words.ts";

/** A share, or a dash where there is nothing to measure it by. */
export function figureText(value: number | null): string {
  if (value === null) return "–";
  return Number.isInteger(value) ? String(value) : value.toPrecision(3);
}
