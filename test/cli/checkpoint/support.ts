import { open, readdir } from "node:fs/promises";
import { join } from "node:path";
import { checkpointDiffCommand } from "../../../src/cli/commands/checkpoint-diff.ts";
import { checkpointInspectCommand } from "../../../src/cli/commands/checkpoint-inspect.ts";
import { checkpointReshardCommand } from "../../../src/cli/commands/checkpoint-reshard.ts";
import { checkpointVerifyCommand } from "../../../src/cli/commands/checkpoint-verify.ts";
import { createNodeFiles } from "../../../src/runtime/checkpoint/files/index.ts";
import { saveSafetensors } from "../../../src/runtime/checkpoint/safetensors/index.ts";
import { save } from "../../../src/runtime/checkpoint/save/index.ts";
import { distribute } from "../../../src/runtime/dist/array/index.ts";
import { shardSpec } from "../../../src/runtime/dist/layout/index.ts";
import { Mesh } from "../../../src/runtime/dist/mesh/index.ts";
import { rand, type Tensor } from "../../../src/runtime/tensor/index.ts";
import { type Outcome, runHere } from "../in-process.ts";

const table = {
  specs: [
    checkpointVerifyCommand,
    checkpointDiffCommand,
    checkpointReshardCommand,
    checkpointInspectCommand,
  ],
  groups: { checkpoint: "look at checkpoints" },
};

export const checkpoint = (...argv: readonly string[]): Promise<Outcome> =>
  runHere(["checkpoint", ...argv], { table });

export const weights = (seed = 1): Tensor => rand([12, 10], { seed });

/** A small run's checkpoint: a split tensor, a whole one, and values. */
export async function saveRun(
  root: string,
  { tag = "step100", step = 100, seed = 1, lr = 0.5 } = {},
): Promise<string> {
  const mesh = new Mesh({ axes: ["tp", "dp"], devices: 6, shape: [3, 2] });
  const w = distribute(weights(seed), {
    mesh,
    layout: shardSpec({ partition: [0], meshAxes: ["tp"] }),
  });
  const bias = rand([7], { seed: 2 });
  const state = { model: { w, bias }, optimizer: { lr, name: "adamw" }, step };
  return (await save(tag, state, { root, mesh, step })).folder;
}

/** One safetensors file as others write them. */
export async function saveFile(folder: string, name: string, seed = 1): Promise<string> {
  const path = join(folder, name);
  const tensors = { "layer.weight": weights(seed), "layer.bias": rand([3], { seed: 5 }) };
  await saveSafetensors(createNodeFiles(), path, tensors, { format: "pt" });
  return path;
}

/** Turns one bit of a file. @param at a negative place counts from the end */
export async function turnBit(path: string, at: number): Promise<void> {
  const file = await open(path, "r+");
  try {
    const { size } = await file.stat();
    const position = at < 0 ? size + at : at;
    const byte = new Uint8Array(1);
    await file.read(byte, 0, 1, position);
    await file.write(
      byte.map((value) => value ^ 1),
      0,
      1,
      position,
    );
  } finally {
    await file.close();
  }
}

/** A shard file of a checkpoint. */
export async function shardIn(folder: string): Promise<string> {
  const shard = (await readdir(folder)).find((name) => name.startsWith("shard-"));
  if (shard === undefined) throw new Error(`no shard in ${folder}`);
  return join(folder, shard);
}
