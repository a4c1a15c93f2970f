import { formatBytes } from "../../../platform/units/index.ts";
import { busFactor } from "../../../runtime/dist/time-model/limits.ts";
import type { RunFigure } from "../../run.ts";
import type { LoopbackMode } from "./options.ts";
import type { LoopbackSize } from "./task-input.ts";

/** What a mode's figures begin with: only what went through InfiniBand has the plain names. */
const prefixOf: Readonly<Record<LoopbackMode, string>> = {
  ib: "",
  socket: "socket_",
  tcp: "tcp_",
};

/** The figures of every mode, with their units. */
export const loopbackFigures: Readonly<Record<string, string>> = Object.fromEntries(
  Object.values(prefixOf).flatMap((prefix) => [
    [`${prefix}busbw`, "GB/s"],
    [`${prefix}latency_us`, "us"],
  ]),
);

/** From which size on the bandwidth is that of the way, and not of its delays. */
const fullBytesMin: Readonly<Record<LoopbackMode, number>> = {
  ib: 2 ** 30,
  socket: 16 * 2 ** 20,
  tcp: 2 ** 20,
};

/**
 * Bandwidth at the largest size and time at the smallest, one sample for each run. Floors hold for
 * large sizes and a GPU for each rank, so what was measured otherwise has other names: `small_busbw`,
 * `shared_busbw`.
 */
export function figuresOf(
  mode: LoopbackMode,
  measured: readonly LoopbackSize[],
  { worldSize, ranksPerGpu = 1 }: { readonly worldSize: number; readonly ranksPerGpu?: number },
): Readonly<Record<string, RunFigure>> {
  const smallest = measured[0];
  const largest = measured.at(-1);
  // A rank alone only copies within its own memory.
  if (smallest === undefined || largest === undefined || worldSize < 2) return {};
  const factor = busFactor("all-reduce", worldSize);
  const busbw = largest.timesUs.map((timeUs) => (largest.bytes / timeUs / 1e3) * factor);
  const shared = mode !== "tcp" && ranksPerGpu > 1 ? "shared_" : "";
  const small = largest.bytes < fullBytesMin[mode] ? "small_" : "";
  const prefix = `${shared}${prefixOf[mode]}`;
  const figures: Record<string, RunFigure> = {
    [`${small}${prefix}busbw`]: { samples: busbw, higherIsBetter: true, unit: "GB/s" },
  };
  if (smallest !== largest) {
    const samples = smallest.timesUs;
    figures[`${prefix}latency_us`] = { samples, higherIsBetter: false, unit: "us" };
  }
  return figures;
}

/** What was wrong in the answers, one sentence a size. */
export function wrongAnswers(measured: readonly LoopbackSize[]): readonly string[] {
  return measured
    .filter(({ wrong }) => wrong > 0)
    .map(({ bytes, wrong, elements, firstWrong = "" }) => {
      const size = formatBytes(bytes);
      return `wrong answer: ${wrong} of ${elements} elements of an all-reduce of ${size} are wrong; ${firstWrong}`;
    });
}

/**
 * What all ranks together must have sent for the runs that were timed: on a ring each sends twice all
 * but its own share. A hundredth is left for counters that lag behind.
 */
export function sentBytesMin(
  measured: readonly LoopbackSize[],
  { worldSize, iterations }: { readonly worldSize: number; readonly iterations: number },
): number {
  const bytes = measured.reduce((sum, size) => sum + size.bytes, 0);
  return Math.floor(2 * (worldSize - 1) * bytes * iterations * 0.99);
}

/** One line a size, for the facts. */
export function sizeFacts(measured: readonly LoopbackSize[]): readonly Record<string, unknown>[] {
  return measured.map(({ timesUs: _times, ...size }) => size);
}
