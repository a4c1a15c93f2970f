import assert from "node:assert/strict";
import { basename, join, resolve } from "node:path";
import { TesseraError } from "../../../platform/errors/index.ts";
import { randomSeed } from "../../../platform/rng/index.ts";
import type { Clock } from "../../../platform/time/clock.ts";
import { createRealClock } from "../../../platform/time/index.ts";
import { version } from "../../../version.ts";
import type { Mesh } from "../../dist/mesh/index.ts";
import type { CheckpointFiles } from "../files/index.ts";
import { checkHeader, chunksByFile } from "../load/check-header.ts";
import { meshNotes } from "../load/target-layout.ts";
import type { Manifest } from "../manifest/index.ts";
import type { LoadOptions, SavedCheckpoint } from "../options.ts";
import type { OpenFiles } from "../reshard/index.ts";
import {
  claimName,
  commitClaimed,
  makeTemp,
  manifestOf,
  namingFiles,
  requireTag,
} from "../save/index.ts";
import { judgeShards } from "./judge-checkpoint.ts";
import { lookAt, nothingThere } from "./look-at.ts";
import { openPath } from "./open-path.ts";
import { planResharded } from "./plan-resharded.ts";
import { writeResharded } from "./write-resharded.ts";

/** Which checkpoint, onto which mesh, and where to. */
export interface Reshard {
  /** The folder of a checkpoint, or a root: its last committed one. */
  readonly from: string;
  readonly mesh: Mesh;
  /** Other layouts by a tensor's name; see `LoadOptions.layouts`. */
  readonly layouts?: LoadOptions["layouts"];
  /** The root that the new one is written to. */
  readonly root: string;
  /** @default the tag it had */
  readonly tag?: string;
  /** Bytes of a tensor that are in memory at the same time; some times as many are used. @default 16 MiB */
  readonly bandBytes?: number;
  readonly clock?: Clock;
  readonly signal?: AbortSignal;
}

export interface ReshardResult {
  readonly saved: SavedCheckpoint;
  /** Tensors whose digests were proven equal: all of them. */
  readonly tensors: number;
  readonly readBytes: number;
  readonly writtenBytes: number;
  readonly notes: readonly string[];
}

/**
 * Writes a checkpoint again as another mesh would have saved it. Every tensor is proven to have the
 * digest it had, in what is read and, before the COMMIT, in what was written. The source stays as it
 * is, and nothing else is removed. Memory is bounded: a state may be larger than this machine's.
 *
 * @throws E_CHECKPOINT_MISSING, E_CHECKPOINT_CORRUPT, E_CHECKPOINT_LAYOUT, E_CHECKPOINT_WRITE;
 *   E_CHECKPOINT_STATE for a tag that is none
 */
export async function reshardCheckpoint(
  files: CheckpointFiles,
  given: Reshard,
): Promise<ReshardResult> {
  const { mesh, clock = createRealClock(), bandBytes, signal } = given;
  assert(bandBytes === undefined || (Number.isInteger(bandBytes) && bandBytes > 0), "whole bytes");
  const source = await sourceOf(files, given.from);
  const { manifest, name } = source;
  const tag = given.tag ?? manifest.tag;
  requireTag(tag);
  const root = resolve(given.root);
  const plan = planResharded({ name, manifest, mesh, layouts: given.layouts, tag });
  const inFile = namingFiles({ tag, root });
  const place = { files, root, tag, inFile };
  const temp = await makeTemp({ ...place, nowMs: clock.nowMs(), unique: randomSeed() });
  const folder = join(root, temp);
  try {
    const writing = { source, plan, files, folder, inFile, bandBytes, signal };
    const { shards, readBytes } = await writeResharded(writing);
    const digests = new Map(manifest.tensors.map(({ name, digest }) => [name, digest]));
    const { step, values, software } = manifest;
    const snapshot = { tag, step, parent: name, mesh, values };
    const createdAt = new Date(clock.nowMs()).toISOString();
    const ours = { ...software, tessera: version, node: process.version };
    const facts = { snapshot, plan, written: { shards, digests }, createdAt, software: ours };
    await prove({ ...place, folder }, manifestOf({ ...facts, generation: 1 }));
    const publish = {
      ...place,
      temp,
      unique: randomSeed(),
      manifestOf: (generation: number) => manifestOf({ ...facts, generation }),
      stillWanted: () => signal?.throwIfAborted(),
    };
    const claimed = await claimName(publish);
    await commitClaimed(publish, claimed);
    const { totalBytes } = claimed;
    const counts = { files: plan.files.length, tensors: plan.tensors.length, totalBytes };
    const at = { tag, name: claimed.name, folder: join(root, claimed.name), step };
    return {
      saved: { ...at, ...counts, removed: [], notes: [] },
      tensors: plan.tensors.length,
      readBytes,
      writtenBytes: totalBytes,
      notes: meshNotes(manifest, mesh),
    };
  } catch (error) {
    // The first error is the one to report; what is left is swept by a later save.
    await files.remove(folder).catch(() => {});
    throw error;
  }
}

interface Source {
  readonly name: string;
  readonly manifest: Manifest;
  readonly open: OpenFiles;
}

/** The checkpoint at a path, with its folder and headers checked. */
async function sourceOf(files: CheckpointFiles, from: string): Promise<Source> {
  const { kind } = await lookAt(files, from);
  if (kind !== "root" && kind !== "checkpoint") throw nothingThere(from);
  const { manifest, folder, open } = await openPath(files, from);
  assert(manifest !== undefined, "a checkpoint has a manifest");
  const chunks = chunksByFile(manifest);
  for (const file of manifest.files) {
    await checkHeader(open, file, chunks.get(file.name) ?? new Map());
  }
  return { name: basename(folder), manifest, open };
}

/** What was written is read again, before it becomes a checkpoint. */
async function prove(
  written: { files: CheckpointFiles; root: string; tag: string; folder: string },
  manifest: Manifest,
): Promise<void> {
  const { files, root, tag, folder } = written;
  const verdicts = await judgeShards({ files, folder, shown: folder }, manifest);
  const wrong = verdicts.find(({ ok }) => !ok);
  if (wrong === undefined) return;
  const problem = `${wrong.path}: ${wrong.error ?? "it is bad"}`;
  throw new TesseraError("E_CHECKPOINT_WRITE", { tag, root, problem });
}
