import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fromCli, type Provocation } from "../provocation.ts";

const open = "const { checkpoint, dist, tensor, verify } = tessera;";

export const provocations: Provocation[] = [
  {
    code: "E_SAFETENSORS",
    how: "tessera checkpoint inspect of a file that is too short to be one",
    provoke: async ({ cli, tempDir }) => {
      const file = join(tempDir, "short.safetensors");
      await writeFile(file, "1234567");
      return fromCli(await cli(["checkpoint", "inspect", file]));
    },
  },
  {
    code: "E_CHECKPOINT_CORRUPT",
    how: "a checkpoint whose manifest is another than the one that was committed",
    provoke: ({ library, tempDir }) =>
      library(`${open} const { appendFileSync } = await import("node:fs");
        const root = ${JSON.stringify(tempDir)};
        const { folder } = await checkpoint.save("step1", { w: tensor.ones([4]) }, { root });
        appendFileSync(folder + "/manifest.json", " ");
        await checkpoint.load("step1", { root, onDamage: "throw" });`),
  },
  {
    code: "E_CHECKPOINT_MISSING",
    how: "tessera checkpoint verify of a path where nothing is",
    provoke: async ({ cli, tempDir }) =>
      fromCli(await cli(["checkpoint", "verify", join(tempDir, "nothing")])),
  },
  {
    code: "E_CHECKPOINT_MISSING",
    how: "a load where nothing was saved",
    provoke: ({ library, tempDir }) =>
      library(`${open} await checkpoint.load("step1", { root: ${JSON.stringify(tempDir)} });`),
  },
  {
    code: "E_CHECKPOINT_STATE",
    how: "a function among what is saved",
    provoke: ({ library, tempDir }) =>
      library(
        `${open} await checkpoint.save("step1", { f: () => 1 }, { root: ${JSON.stringify(tempDir)} });`,
      ),
  },
  {
    code: "E_CHECKPOINT_WRITE",
    how: "a root that is a file",
    provoke: async ({ library, tempDir }) => {
      const root = join(tempDir, "file");
      await writeFile(root, "");
      return library(
        `${open} await checkpoint.save("step1", { w: tensor.ones([4]) }, { root: ${JSON.stringify(root)} });`,
      );
    },
  },
  {
    code: "E_CHECKPOINT_LAYOUT",
    how: "a layout for an axis that the mesh has not",
    provoke: ({ library, tempDir }) =>
      library(`${open} const root = ${JSON.stringify(tempDir)};
        await checkpoint.save("step1", { w: tensor.ones([4]) }, { root });
        const remapTo = new dist.Mesh({ axes: ["tp"], devices: 2 });
        const layouts = () => dist.shardSpec({ partition: [0], meshAxes: ["dp"] });
        await checkpoint.load("step1", { root, remapTo, layouts });`),
  },
  {
    code: "E_VERIFY",
    how: "a tolerance below zero",
    provoke: ({ library }) =>
      library(`${open} verify.allClose(tensor.ones([1]), tensor.ones([1]), { atol: -1 });`),
  },
  {
    code: "E_WORKLOAD",
    how: "tessera scale with a workload that does not exist",
    provoke: async ({ cli }) =>
      fromCli(await cli(["scale", "strong", "--topology", "hgx-h100", "--workload", "gpt-8b"])),
  },
  {
    code: "E_SCALING_TABLE",
    how: "tessera scale with a table whose times are words",
    provoke: async ({ cli, tempDir }) => {
      await mkdir(tempDir, { recursive: true });
      const file = join(tempDir, "runs.csv");
      await writeFile(file, "devices,time_s\n1,fast\n");
      return fromCli(await cli(["scale", "strong", "--table", file]));
    },
  },
];
