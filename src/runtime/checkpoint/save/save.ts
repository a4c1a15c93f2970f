import { resolve } from "node:path";
import { randomSeed } from "../../../platform/rng/index.ts";
import { createRealClock } from "../../../platform/time/index.ts";
import type { World } from "../../ranks/world/world.ts";
import { createNodeFiles } from "../files/index.ts";
import type { SavedCheckpoint, SaveOptions } from "../options.ts";
import type { State } from "../state.ts";
import { firstMeeting } from "./agree-on-state.ts";
import { checkRetention } from "./choose-kept.ts";
import { worldCrew } from "./crew.ts";
import type { SaveWhere } from "./failures.ts";
import type { PendingSave } from "./pending-save.ts";
import { performSave } from "./perform-save.ts";
import { inTurn, requireRoom } from "./save-queue.ts";
import { takeSnapshot } from "./snapshot.ts";

export const rootDefault = ".tessera-checkpoints";
/** One for all saves, so that those of the same root know of each other. */
export const nodeFiles = createNodeFiles();

/**
 * Saves a state under a tag and resolves when it is committed: from then on it survives a crash, and
 * until then the checkpoint before it is still the valid one. A tag that is saved again replaces the
 * older save, once the new one is committed.
 *
 * @throws E_CHECKPOINT_STATE for a state that cannot be saved, or replicas that differ;
 *   E_CHECKPOINT_WRITE when it could not be written; E_RANK_LOST; the signal's reason.
 */
export async function save(
  tag: string,
  state: State,
  options: SaveOptions = {},
): Promise<SavedCheckpoint> {
  return saveAsync(tag, state, options).done;
}

/**
 * Takes the state now and saves it while the program goes on. One save of a root is under way at a
 * time; four more may wait, each with its state in memory, and the next is refused.
 *
 * @throws E_CHECKPOINT_STATE for a state that cannot be saved, E_CHECKPOINT_WRITE when too many wait;
 *   all else rejects `done`, as `save` does.
 */
export function saveAsync(tag: string, state: State, options: SaveOptions = {}): PendingSave {
  const { files = nodeFiles, clock = createRealClock(), world, signal } = options;
  const root = resolve(options.root ?? rootDefault);
  // Ranks that live in one process must not wait for each other.
  const owner = world ?? files;
  try {
    checkRetention(tag, options.retention);
    requireRoom(owner, { tag, root });
    const snapshot = takeSnapshot(tag, state, options);
    const job = { snapshot, files, root, clock, options, unique: randomSeed };
    // A rank that is told to stop has to tell the others, which it does when its turn comes.
    const done = inTurn(
      owner,
      root,
      () => performSave(job),
      world === undefined ? signal : undefined,
    );
    return { snapshotted: Promise.resolve(), done };
  } catch (error) {
    if (world !== undefined) tellOthers(world, { tag, root }, error);
    throw error;
  }
}

/** The other ranks come to save, and would wait for this one in vain. */
function tellOthers(world: World, where: SaveWhere, error: unknown): void {
  const tell = () => worldCrew(world, where).agree(firstMeeting, () => Promise.reject(error));
  // Whoever called knows of the error already, and a world that is over has told all of them.
  inTurn(world, where.root, tell).catch(() => {});
}
