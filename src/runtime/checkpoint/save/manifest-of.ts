import type { Manifest, ManifestChunk } from "../manifest/index.ts";
import type { SavePlan } from "./plan-save.ts";
import type { Snapshot } from "./snapshot.ts";
import type { ShardRecord } from "./write-shard.ts";

/** All that was written, as the writers tell. */
export interface Written {
  /** By file name. */
  readonly shards: ReadonlyMap<string, ShardRecord>;
  /** Of each tensor, by name. */
  readonly digests: ReadonlyMap<string, string>;
}

/** What a manifest says about the state beside its tensors. */
export type StateFacts = Pick<Snapshot, "tag" | "step" | "parent" | "mesh" | "values">;

export interface ManifestFacts {
  readonly snapshot: StateFacts;
  readonly plan: SavePlan;
  readonly written: Written;
  readonly createdAt: string;
  readonly software: Readonly<Record<string, string>>;
  readonly generation: number;
}

/** The manifest of a save. */
export function manifestOf(facts: ManifestFacts): Manifest {
  const { snapshot, plan, written, createdAt, software, generation } = facts;
  const { tag, step, parent, mesh, values } = snapshot;
  const pieces = new Map(
    [...written.shards.values()].flatMap(({ chunks }) =>
      chunks.map((one) => [one.key, one.pieces]),
    ),
  );
  return {
    format: "tessera-checkpoint",
    version: 1,
    tag,
    generation,
    step,
    createdAt,
    parent,
    software,
    mesh: mesh === null ? null : { axes: mesh.axes, shape: mesh.shape },
    writers: plan.files.length,
    tensors: plan.tensors.map(({ name, dtype, shape, layout, chunks }) => ({
      name,
      dtype,
      shape,
      layout,
      digest: written.digests.get(name) ?? "",
      chunks: chunks.map(({ file, key, box, offset, bytes }): ManifestChunk => {
        return { file, key, box, offset, bytes, pieces: pieces.get(key) ?? [] };
      }),
    })),
    values,
    files: plan.files.flatMap(({ name }) => written.shards.get(name)?.file ?? []),
    planHash: plan.planHash,
  };
}
