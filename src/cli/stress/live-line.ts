import { formatQuantity } from "../../platform/plots/index.ts";
import type { StressEngine, StressProgress } from "../../runtime/stress/index.ts";

/** How it goes, in one line: speed, what the device says of itself, how much, how much wrong. */
export function liveLine(engine: StressEngine, progress: StressProgress): string {
  const { iterations, rate, reading, wrong } = progress;
  const { unit, iteration } = engine.work;
  const read = [
    [reading?.temperatureC, "°C"],
    [reading?.powerW, "W"],
    [reading?.smClockMhz, "MHz"],
  ] as const;
  return [
    formatQuantity(rate, `${unit}/s`),
    ...read.flatMap(([value, of]) =>
      value === null || value === undefined ? [] : [`${Math.round(value)} ${of}`],
    ),
    countOf(iterations, iteration),
    engine.verifies ? `${formatQuantity(wrong, "")} wrong` : "not verified",
  ].join("  ");
}

/** `12,345 products`. */
export function countOf(count: number, what: string): string {
  const plural = what.endsWith("ch") ? `${what}es` : `${what}s`;
  return `${formatQuantity(count, "")} ${count === 1 ? what : plural}`;
}
