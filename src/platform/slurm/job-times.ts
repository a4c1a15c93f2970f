import type { SlurmExit } from "./exit-status.ts";

export interface JobTimes extends SlurmExit {
  readonly startedAtMs: number | undefined;
  readonly endedAtMs: number | undefined;
}

/**
 * What a job's times mean in its state: before it starts, and before it ends, Slurm puts what it
 * expects into the same fields.
 */
export function jobTimes(
  state: string,
  told: {
    readonly startMs: number | undefined;
    readonly endMs: number | undefined;
  } & Partial<SlurmExit>,
): JobTimes {
  const waits = state === "PENDING" || state === "UNKNOWN";
  const runs = state === "RUNNING" || state === "SUSPENDED";
  const ended = !waits && !runs;
  return {
    startedAtMs: waits ? undefined : told.startMs,
    endedAtMs: ended ? told.endMs : undefined,
    exitCode: ended ? told.exitCode : undefined,
    exitSignal: ended ? told.exitSignal : undefined,
  };
}
