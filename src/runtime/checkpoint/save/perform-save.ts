import { join } from "node:path";
import type { Clock } from "../../../platform/time/clock.ts";
import { version } from "../../../version.ts";
import type { CheckpointFiles } from "../files/index.ts";
import type { SavedCheckpoint, SaveOptions } from "../options.ts";
import { agreeOnState } from "./agree-on-state.ts";
import { soloCrew, worldCrew } from "./crew.ts";
import { type InFile, namingFiles } from "./failures.ts";
import { ByteBudget } from "./hashing.ts";
import { manifestOf, type Written } from "./manifest-of.ts";
import { planSave } from "./plan-save.ts";
import { type Published, publish } from "./publish.ts";
import { removeSuperfluous } from "./remove-superfluous.ts";
import type { Snapshot } from "./snapshot.ts";
import { sweepTemps } from "./sweep.ts";
import { tempPrefix } from "./temp-folder.ts";
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
  const { snapshot, files, root, options } = job;
  const { tag, step } = snapshot;
  const where = { tag, root };
  const { world } = options;
  const crew = world === undefined ? soloCrew() : worldCrew(world, where);
  const signal = anyOf(options.signal, world?.signal);
  const budget = new ByteBudget(inFlightBytes);
  const inFile = namingFiles(where);
  const { pieceBytes } = options;
  const known = await agreeOnState({ crew, snapshot, budget, signal, pieceBytes });
  const plan = planSave({ ...snapshot, pieceBytes });
  const temp = await crew.fromLead("the folder of a checkpoint", () => makeTemp(job, inFile));
  const folder = join(root, temp);
  try {
    const context: WriteContext = { files, folder, snapshot, plan, budget, signal, inFile };
    const collect =
      crew.rank === undefined
        ? await writeAlone(context)
        : await writeTogether({ ...context, crew, rank: crew.rank, known });
    // Whatever may fail on one rank alone is done where the others hear of it.
    const saved = await crew.fromLead("the COMMIT of a checkpoint", async () =>
      commit({ ...job, context, written: await collect(), temp, signal }),
    );
    const { name, totalBytes } = saved;
    const removed = await crew.fromLead("what a checkpoint replaces", () =>
      removeSuperfluous({ ...job, ...where, saved, retention: options.retention }),
    );
    const counts = { files: plan.files.length, tensors: plan.tensors.length, totalBytes };
    return { tag, name, folder: join(root, name), step, ...counts, removed };
  } catch (error) {
    // The first error is the one to report; what is left is swept later.
    if (crew.isLead) await files.remove(folder).catch(() => {});
    throw error;
  }
}

/** The folder that shards are written to, which nobody else has. */
async function makeTemp(job: SaveJob, inFile: InFile): Promise<string> {
  const { files, root, snapshot, clock, unique } = job;
  const temp = `${tempPrefix}${snapshot.tag}-${unique()}`;
  await inFile(root, async () => {
    await files.ensureFolder(root);
    await sweepTemps(files, { root, nowMs: clock.nowMs() });
  });
  await inFile(temp, () => files.makeFolder(join(root, temp)));
  return temp;
}

function commit(
  about: SaveJob & {
    readonly context: WriteContext;
    readonly written: Written;
    readonly temp: string;
    readonly signal: AbortSignal | undefined;
  },
): Promise<Published> {
  const { snapshot, files, root, clock, options, unique, context, written, temp, signal } = about;
  const createdAt = new Date(clock.nowMs()).toISOString();
  const software = { ...options.software, tessera: version, node: process.version };
  const { plan, inFile } = context;
  return publish({
    tag: snapshot.tag,
    files,
    root,
    temp,
    unique: unique(),
    inFile,
    manifestOf: (generation) => {
      return manifestOf({ snapshot, plan, written, createdAt, software, generation });
    },
    stillWanted: () => signal?.throwIfAborted(),
  });
}

function anyOf(...signals: readonly (AbortSignal | undefined)[]): AbortSignal | undefined {
  const given = signals.flatMap((signal) => signal ?? []);
  return given.length === 0 ? undefined : AbortSignal.any(given);
}
