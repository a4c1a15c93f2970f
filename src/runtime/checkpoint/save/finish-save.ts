import assert from "node:assert/strict";
import { join } from "node:path";
import { messageOf } from "../../../platform/errors/index.ts";
import type { CheckpointFiles } from "../files/index.ts";
import { readCommitted } from "../manifest/index.ts";
import type { SavedCheckpoint } from "../options.ts";
import type { Crew } from "./crew.ts";
import type { SaveJob } from "./perform-save.ts";
import type { SavePlan } from "./plan-save.ts";
import { type Claimed, claimName, commitClaimed, type PublishOptions } from "./publish.ts";
import { removeSuperfluous } from "./remove-superfluous.ts";
import { retire } from "./retire.ts";

export interface Finishing {
  readonly job: SaveJob;
  readonly crew: Crew;
  readonly plan: SavePlan;
  /** Only the lead calls it: what all have written, ready to be published. */
  readonly publishing: () => Promise<PublishOptions>;
}

/**
 * Publishes what was written. All ranks hear the name before there is a COMMIT: so whoever loses the
 * others after that can look for itself whether the checkpoint is valid.
 *
 * @throws E_CHECKPOINT_WRITE, E_RANK_LOST when the checkpoint is not committed
 */
export async function finishSave(finishing: Finishing): Promise<SavedCheckpoint> {
  const { job, crew, plan, publishing } = finishing;
  const { snapshot, files, root, options } = job;
  const { tag, step } = snapshot;
  let publish: PublishOptions | undefined;
  let claimed: Claimed | undefined;
  let isCommitted = false;
  // Whatever may fail on one rank alone is done where the others hear of it.
  const claim = crew.fromLead("the name of a checkpoint", async () => {
    publish = await publishing();
    claimed = await claimName(publish);
    return { name: claimed.name, totalBytes: claimed.totalBytes };
  });
  const { name, totalBytes } = await claim.catch(async (error: unknown) => {
    // The first error is the one to report.
    if (claimed !== undefined) await takeAway(job, claimed.name).catch(() => {});
    throw error;
  });
  const counts = { files: plan.files.length, tensors: plan.tensors.length, totalBytes };
  const saved = { tag, name, folder: join(root, name), step, ...counts };
  try {
    const removed = await crew.fromLead("the COMMIT of a checkpoint", async () => {
      assert(publish !== undefined && claimed !== undefined, "the lead has claimed the name");
      await commitClaimed(publish, claimed);
      isCommitted = true;
      return removeSuperfluous({ ...job, tag, saved: claimed, retention: options.retention });
    });
    return { ...saved, removed, notes: [] };
  } catch (error) {
    const isLost = options.world?.signal.aborted === true;
    isCommitted ||= isLost && !crew.isLead && (await hasCommit(files, saved.folder));
    if (!isCommitted) throw error;
    const note = `The checkpoint is committed and valid. After that: ${messageOf(error)}`;
    return { ...saved, removed: [], notes: [note] };
  }
}

function takeAway({ files, root, unique }: SaveJob, name: string): Promise<void> {
  return retire(files, { root, name, unique: unique() });
}

/** Whether the lead came as far as COMMIT. No other save has this name: the lead claimed it for this one. */
async function hasCommit(files: CheckpointFiles, folder: string): Promise<boolean> {
  try {
    return (await readCommitted(files, folder)) !== undefined;
  } catch {
    return false;
  }
}
