import type { Clock } from "../../../platform/time/clock.ts";
import { openRunLog, type RunLog, runPaths } from "../../collect/index.ts";
import type { RunIntent } from "../../run.ts";

const sizeBytesMax = 4 * 2 ** 20;

/** Keeps what a job's program prints beside its log; the last words of a program that crashed. */
export function openJobOutput(root: string, intent: RunIntent, clock: Clock): RunLog {
  const { folder, output } = runPaths(root, intent);
  return openRunLog({ path: output, folder, clock, sizeBytesMax });
}
