import type { Logger } from "../../../platform/log/index.ts";
import type { JsonObject } from "../../../platform/store/index.ts";
import type { Clock } from "../../../platform/time/clock.ts";
import type { GpuView } from "../../checks/index.ts";

export interface LocalClusterOptions {
  readonly name: string;
  readonly clock: Clock;
  readonly log: Pick<Logger, "info" | "warn">;
  /** The root of the log tree: logs, output and result files. */
  readonly resultDir: string;
  /**
   * The command that starts this CLI, without its arguments: usually `process.execPath` and the
   * script that runs now.
   */
  readonly command: readonly [file: string, ...args: string[]];
  /** Checks beside those of the catalogue: users' own programs, with their options. @default none */
  readonly ownChecks?: Readonly<Record<string, JsonObject>>;
  /** What the node is called. @default this machine's host name, made safe */
  readonly nodeName?: string;
  /** Above this many runnable threads for each processor the machine counts as busy. @default 16 */
  readonly loadPerCpuMax?: number;
  /** How often GPUs and load are looked at. @default 15 000 */
  readonly lookEveryMs?: number;
  /** How long a job may take to hand in and end after it was cancelled. @default 15 000 */
  readonly graceMs?: number;
  /** Finished jobs that are remembered; the oldest are forgotten first. @default 1000 */
  readonly finishedMax?: number;
  /** Who is asked about GPUs; tests answer for the driver. @default nvidia-smi */
  readonly findGpus?: (signal: AbortSignal) => Promise<GpuView>;
  /** Runnable threads over the last minute; tests say their own. @default what the system says */
  readonly load?: () => number;
}
