import { resolve } from "node:path";
import { randomSeed } from "../../../platform/rng/index.ts";
import { createRealClock } from "../../../platform/time/index.ts";
import type { CheckpointPlace, Retention } from "../options.ts";
import { chooseKept } from "./choose-kept.ts";
import { namingFiles } from "./failures.ts";
import { retire } from "./retire.ts";
import { nodeFiles, rootDefault } from "./save.ts";
import { survey } from "./survey.ts";

export interface PruneOptions extends CheckpointPlace, Retention {
  /** Only says what would go. @default false */
  readonly dryRun?: boolean;
}

export interface Pruned {
  /** Names of checkpoints that were removed, or would be; oldest first. */
  readonly removed: readonly string[];
  /** Names of those that are left, newest first, each with why. */
  readonly kept: readonly { readonly name: string; readonly why: string }[];
}

/**
 * Removes the checkpoints of a root that retention does not keep. The newest stays whatever is asked
 * for; folders that are damaged, not committed or not ours are neither counted nor removed.
 *
 * @throws E_CHECKPOINT_STATE for a retention that makes no sense, E_CHECKPOINT_WRITE
 */
export async function prune(options: PruneOptions = {}): Promise<Pruned> {
  const { files = nodeFiles, clock = createRealClock(), dryRun = false } = options;
  const root = resolve(options.root ?? rootDefault);
  const inFile = namingFiles({ tag: "to be pruned", root });
  const all = await inFile(root, () => survey(files, root));
  const { remove, keep } = chooseKept(all, { ...options, nowMs: clock.nowMs() });
  if (!dryRun) {
    for (const name of remove) {
      await inFile(name, () => retire(files, { root, name, unique: randomSeed() }));
    }
  }
  return { removed: remove, kept: keep };
}
