import type { SlurmClient } from "../../platform/slurm/index.ts";
import type { Clock } from "../../platform/time/index.ts";
import type { NodeHook } from "../live/index.ts";

export interface SlurmWorldOptions {
  readonly client: SlurmClient;
  readonly clock: Clock;
  /** Where ledgers lie. */
  readonly folder: string;
  /** Who we are to Slurm: whose jobs are meant unless the file names somebody. */
  readonly user: string;
  /** The name of a run. @default one that no other run has */
  readonly run?: string;
  /** How this installation stops and starts the daemon of a node. Without one, `kill_slurmd` is refused. */
  readonly daemonHook?: NodeHook | undefined;
  /** Between two looks at the job; each at which it runs is a step. @default 1000 */
  readonly lookEveryMs?: number;
  /** So long after the last renewal anybody may take faults back. @default one minute */
  readonly leaseMs?: number;
}
