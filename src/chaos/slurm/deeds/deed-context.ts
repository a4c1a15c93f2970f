import type { SlurmClient } from "../../../platform/slurm/index.ts";
import type { NodeHook } from "../../live/index.ts";
import type { JobWatch } from "../job-watch.ts";

/** What deeds are made with. */
export interface DeedContext {
  readonly client: SlurmClient;
  readonly watch: JobWatch;
  readonly daemonHook: NodeHook | undefined;
  readonly run: string;
  /** Milliseconds since the Unix epoch, until when others leave our faults alone. */
  readonly untilMs: number;
}
