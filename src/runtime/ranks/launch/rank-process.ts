import {
  type ProcessExit,
  type RunningProcess,
  startProcess,
} from "../../../platform/process/index.ts";
import type { Clock } from "../../../platform/time/clock.ts";
import type { WorkerOrder } from "./messages.ts";

export interface RankProcessOptions {
  /** Program and first arguments; `agent worker TASK` follows. */
  readonly command: readonly string[];
  readonly task: string;
  readonly rank: number;
  readonly worldSize: number;
  readonly rendezvous: string;
  readonly order: WorkerOrder;
  /** All variables the process sees, apart from those that say which rank it is. */
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly clock: Clock;
  readonly graceMs: number;
  readonly onLine: (line: string, stream: "stdout" | "stderr") => void;
}

/** Starts the process of one rank. @throws ProcessStartError */
export function startRankProcess(options: RankProcessOptions): Promise<RunningProcess> {
  const { command, task, rank, worldSize, rendezvous, order, env, clock, graceMs } = options;
  const [program = "", ...args] = command;
  return startProcess(program, [...args, "agent", "worker", task], {
    clock,
    graceMs,
    envInherit: [],
    env: {
      ...env,
      TESSERA_RANK: String(rank),
      TESSERA_WORLD_SIZE: String(worldSize),
      TESSERA_RENDEZVOUS: rendezvous,
      // Whoever holds it may hand in the result of a run; ranks have no business with it.
      TESSERA_RUN_TOKEN: undefined,
    },
    // The secret goes where other users and child processes do not see it.
    input: JSON.stringify(order),
    onLine: options.onLine,
  });
}

/** How a process ended, for a sentence: `it was killed by SIGKILL`. */
export function describeExit({ exitCode, signal }: ProcessExit, lastLine: string): string {
  const how =
    signal === null
      ? `it ended with exit code ${exitCode ?? "unknown"}`
      : `it was killed by ${signal}`;
  return lastLine === "" ? how : `${how}; its last words: ${lastLine}`;
}
