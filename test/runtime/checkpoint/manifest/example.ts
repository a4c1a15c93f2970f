import { VirtualClock } from "../../../../src/platform/time/index.ts";
import { save } from "../../../../src/runtime/checkpoint/save/index.ts";
import * as dist from "../../../../src/runtime/dist/index.ts";
import * as tensor from "../../../../src/runtime/tensor/index.ts";
import { createMemoryFiles } from "../../../support/checkpoint/index.ts";

/** A manifest and a COMMIT as save writes them: two meshes' axes, splits, replicas, an empty tensor. */
export async function example(): Promise<{ manifest: Uint8Array; commit: Uint8Array }> {
  const files = createMemoryFiles();
  const mesh = new dist.Mesh({ axes: ["tp", "dp"], devices: 4, shape: [2, 2] });
  const layout = dist.shardSpec({ partition: [0, 1], meshAxes: ["tp", "dp"] });
  const w = dist.tensor({ values: new Float32Array(24), shape: [4, 6] }, { mesh, layout });
  const cyclic = dist.shardSpec({ partition: [0], meshAxes: ["tp"], cyclic: true });
  const c = dist.tensor({ values: new Float32Array(5), shape: [5] }, { mesh, layout: cyclic });
  const state = {
    model: { w, c, empty: tensor.zeros([0]), b: tensor.ones([3], { dtype: "bf16" }) },
    optimizer: { step: 3, beta: 0.9, big: 12n, nan: Number.NaN },
  };
  await save("s3", state, { root: "/r", files, clock: new VirtualClock(), pieceBytes: 64 });
  return {
    manifest: files.bytesOf("/r/s3/manifest.json") ?? new Uint8Array(0),
    commit: files.bytesOf("/r/s3/COMMIT") ?? new Uint8Array(0),
  };
}
