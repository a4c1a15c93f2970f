import { basename, dirname, join } from "node:path";
import { TesseraError } from "../../../platform/errors/index.ts";
import type { Clock } from "../../../platform/time/clock.ts";
import type { Mesh } from "../../dist/mesh/index.ts";
import type { CheckpointFiles } from "../files/index.ts";
import { restore } from "../load/index.ts";
import { committedManifest } from "../load/read-manifest.ts";
import type { Manifest } from "../manifest/index.ts";
import type { LoadOptions, SavedCheckpoint } from "../options.ts";
import { save } from "../save/index.ts";
import { judgeCheckpoint } from "./judge-checkpoint.ts";
import { lookAt, nothingThere } from "./look-at.ts";

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
 * Writes a checkpoint again as another mesh would have saved it, reads what was written, and proves
 * that every tensor kept its digest. The source stays as it is. The state is in memory meanwhile.
 *
 * @throws E_CHECKPOINT_MISSING, E_CHECKPOINT_CORRUPT, E_CHECKPOINT_LAYOUT, E_CHECKPOINT_WRITE
 */
export async function reshardCheckpoint(
  files: CheckpointFiles,
  { from, mesh, layouts, root, tag, clock, signal }: Reshard,
): Promise<ReshardResult> {
  const looked = await lookAt(files, from);
  if (looked.kind !== "root" && looked.kind !== "checkpoint") throw nothingThere(from);
  const isRoot = looked.kind === "root";
  const source = isRoot ? looked.path : dirname(looked.path);
  const loaded = await restore(isRoot ? undefined : basename(looked.path), {
    root: source,
    files,
    remapTo: mesh,
    onDamage: "throw",
    ...(layouts === undefined ? {} : { layouts }),
    ...(signal === undefined ? {} : { signal }),
  });
  const before = await committedManifest(files, join(source, loaded.name));
  const saved = await save(tag ?? loaded.tag, loaded.state, {
    root,
    files,
    mesh,
    parent: loaded.name,
    software: before.software,
    ...(loaded.step === null ? {} : { step: loaded.step }),
    ...(clock === undefined ? {} : { clock }),
    ...(signal === undefined ? {} : { signal }),
  });
  await prove(files, saved, { before, root });
  return {
    saved,
    tensors: saved.tensors,
    readBytes: loaded.readBytes,
    writtenBytes: saved.totalBytes,
    notes: loaded.notes,
  };
}

async function prove(
  files: CheckpointFiles,
  { folder, tag }: SavedCheckpoint,
  { before, root }: { readonly before: Manifest; readonly root: string },
): Promise<void> {
  const refuse = (problem: string) =>
    new TesseraError("E_CHECKPOINT_WRITE", { tag, root, problem });
  const after = await committedManifest(files, folder);
  const digests = ({ tensors }: Manifest) =>
    tensors.map(({ name, digest }) => `${name} ${digest}`).join("\n");
  if (digests(before) !== digests(after)) throw refuse("tensors came out with other digests");
  const entries = await files.list(folder);
  const verdicts = await judgeCheckpoint({ files, folder, shown: folder, entries });
  const wrong = verdicts.find(({ ok }) => !ok);
  if (wrong !== undefined) throw refuse(`${wrong.path}: ${wrong.error ?? "it is bad"}`);
}
