import type { CheckpointFiles } from "../files/index.ts";
import type { InFile } from "./failures.ts";
import type { ByteBudget } from "./hashing.ts";
import type { SavePlan } from "./plan-save.ts";
import type { Snapshot } from "./snapshot.ts";

/** What writing the shards takes. */
export interface WriteContext {
  readonly files: CheckpointFiles;
  /** The temporary folder. */
  readonly folder: string;
  readonly snapshot: Snapshot;
  readonly plan: SavePlan;
  readonly budget: ByteBudget;
  readonly signal: AbortSignal | undefined;
  readonly inFile: InFile;
}
