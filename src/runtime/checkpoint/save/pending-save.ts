import type { SavedCheckpoint } from "../options.ts";

/** A save that goes on while the program does. */
export interface PendingSave {
  /** Resolves when the state is taken: whatever changes from then on is not in the checkpoint. */
  readonly snapshotted: Promise<void>;
  /** Resolves when the checkpoint is committed. @throws as `save` */
  readonly done: Promise<SavedCheckpoint>;
}
