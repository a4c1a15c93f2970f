import { rm } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { tempDir } from "../../support/temp-dir.ts";
import { checkpoint, saveFile, saveRun } from "./support.ts";

describe("tessera checkpoint inspect", () => {
  test("shows a checkpoint: mesh, tensors with their layouts, and the other values", async () => {
    const folder = await saveRun(await tempDir());
    const { code, stdout, stderr } = await checkpoint("inspect", folder);
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(stdout).toMatch(/: a checkpoint, 2 tensors, 508 B in \d files$/m);
    expect(stdout).toMatch(/^The data is not verified/m);
    expect(stdout).toMatch(/^step +100$/m);
    expect(stdout).toMatch(/^mesh +tp=3,dp=2$/m);
    expect(stdout).toMatch(/^model\/w +f32 +\[12, 10\] +480 B +tp: S\(0\), dp: R +\S+/m);
    expect(stdout).toMatch(
      /^model\/bias +f32 +\[7\] +28 B +- +shard-\d{5}-of-\d{5}\.safetensors$/m,
    );
    expect(stdout).toMatch(/^optimizer\/lr +0\.5$/m);
    expect(stdout).toMatch(/^optimizer\/name +"adamw"$/m);
    expect(stdout).not.toMatch(/^\S*\$tensor/m);
  });

  test("lists the checkpoints of a root, newest first, those without a COMMIT too", async () => {
    const root = await tempDir();
    const old = await saveRun(root, { tag: "step1", step: 1 });
    await saveRun(root, { tag: "step2", step: 2 });
    await rm(join(old, "COMMIT"));
    const { code, stdout } = await checkpoint("inspect", root);
    expect(code).toBe(0);
    expect(stdout).toMatch(/: a folder of checkpoints$/m);
    expect(stdout).toMatch(/step2 +committed +2 [\s\S]*step1 +uncommitted/);
    const { checkpoints } = JSON.parse((await checkpoint("inspect", root, "--json")).stdout) as {
      readonly checkpoints: readonly { readonly name: string }[];
    };
    expect(checkpoints.map(({ name }) => name)).toEqual(["step2", "step1"]);
  });

  test("shows a file of others with its metadata, and only so many tensors as asked", async () => {
    const file = await saveFile(await tempDir(), "model.safetensors");
    const { stdout } = await checkpoint("inspect", file);
    expect(stdout).toMatch(/^layer\.weight +F32 +\[12, 10\] +480 B/m);
    expect(stdout).toMatch(/METADATA\n {2}format: "pt"\n/);
    const short = await checkpoint("inspect", file, "--limit", "1");
    expect(short.stdout).toMatch(/^… and 1 more$/m);
  });

  test("what is missing ends with 2, what is broken with 1", async () => {
    const folder = await saveRun(await tempDir());
    const missing = await checkpoint("inspect", join(folder, "nowhere"));
    expect(missing.code).toBe(2);
    expect(missing.stderr).toMatch(/^E_CHECKPOINT_MISSING/);
    await rm(join(folder, "manifest.json"));
    const broken = await checkpoint("inspect", folder);
    expect(broken.code).toBe(1);
    expect(broken.stderr).toMatch(/^E_CHECKPOINT_CORRUPT: .*manifest/);
  });
});
