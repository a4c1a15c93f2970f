import { join } from "node:path";
import type { Clock } from "../../../platform/time/clock.ts";
import { version } from "../../../version.ts";
import type { CheckpointFiles } from "../files/index.ts";
import type { SavedCheckpoint, SaveOptions } from "../options.ts";
import { agreeOnState } from "./agree-on-state.ts";
import { type Crew, soloCrew, worldCrew } from "./crew.ts";
import { namingFiles } from "./failures.ts";
import { finishSave } from "./finish-save.ts";
import { ByteBudget } from "./hashing.ts";
import { manifestOf, type Written } from "./manifest-of.ts";
import { planSave } from "./plan-save.ts";
import type { PublishOptions } from "./publish.ts";
import type { Snapshot } from "./snapshot.ts";
import { makeTemp } from "./temp-folder.ts";
import { writeAlone } from "./write-alone.ts";
import type { WriteContext } from "./write-context.ts";
import { writeTogether } from "./write-together.ts";

/** A save that has its state and its turn. */
export interface SaveJob {
  readonly snapshot: Snapshot;
  readonly files: CheckpointFiles;
  readonly root: string;
  readonly clock: Clock;
  readonly options: SaveOptions;
  /** Makes names that nobody else has. */
  readonly unique: () => string;
}

/** Bytes that are copied, hashed and written at the same time. */
const inFlightBytes = 64 * 2 ** 20;

/**
 * Writes a snapshot and commits it.
 *
 * @throws E_CHECKPOINT_STATE, E_CHECKPOINT_WRITE, E_RANK_LOST, the signal's reason
 */
export async function performSave(job: SaveJob): Promise<SavedCheckpoint> {
  const { snapshot, files, root, clock, options, unique } = job;
  const { tag } = snapshot;
  const where = { tag, root };
  const { world, pieceBytes } = options;
  const crew = world === undefined ? soloCrew() : worldCrew(world, where);
  const signal = anyOf(options.signal, world?.signal);
  const budget = new ByteBudget(inFlightBytes);
  const inFile = namingFiles(where);
  const known = await agreeOnState({ crew, snapshot, budget, signal, pieceBytes });
  const plan = planSave({ ...snapshot, pieceBytes });
  const temp = await crew.fromLead("the folder of a checkpoint", () =>
    makeTemp({ files, ...where, nowMs: clock.nowMs(), unique: unique(), inFile }),
  );
  const folder = join(root, temp);
  try {
    const context: WriteContext = { files, folder, snapshot, plan, budget, signal, inFile };
    const collect = await written(context, { crew, known });
    const publishing = async () => publishOptions(job, { context, temp, written: await collect() });
    return await finishSave({ job, crew, plan, publishing });
  } catch (error) {
    // The first error is the one to report; what is left is swept later.
    if (crew.isLead) await files.remove(folder).catch(() => {});
    throw error;
  }
}

function written(
  context: WriteContext,
  { crew, known }: { readonly crew: Crew; readonly known: ReadonlyMap<string, string> },
): Promise<() => Promise<Written>> {
  if (crew.rank === undefined) return writeAlone(context);
  return writeTogether({ ...context, crew, rank: crew.rank, known });
}

function publishOptions(
  { snapshot, files, root, clock, options, unique }: SaveJob,
  about: { readonly context: WriteContext; readonly temp: string; readonly written: Written },
): PublishOptions {
  const { context, temp } = about;
  const { plan, inFile, signal } = context;
  const createdAt = new Date(clock.nowMs()).toISOString();
  const software = { ...options.software, tessera: version, node: process.version };
  const facts = { snapshot, plan, written: about.written, createdAt, software };
  return {
    tag: snapshot.tag,
    files,
    root,
    temp,
    unique: unique(),
    inFile,
    manifestOf: (generation) => manifestOf({ ...facts, generation }),
    stillWanted: () => signal?.throwIfAborted(),
  };
}

function anyOf(...signals: readonly (AbortSignal | undefined)[]): AbortSignal | undefined {
  const given = signals.flatMap((signal) => signal ?? []);
  return given.length === 0 ? undefined : AbortSignal.any(given);
}
