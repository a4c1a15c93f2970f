import { cp } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { createNodeFiles } from "../../../src/runtime/checkpoint/files/index.ts";
import { saveSafetensors } from "../../../src/runtime/checkpoint/safetensors/index.ts";
import { save } from "../../../src/runtime/checkpoint/save/index.ts";
import { fromValues } from "../../../src/runtime/tensor/index.ts";
import { tempDir } from "../../support/temp-dir.ts";
import { checkpoint, saveFile, saveRun } from "./support.ts";

describe("tessera checkpoint diff", () => {
  test("a checkpoint and its copy are the same, by digest alone", async () => {
    const root = await tempDir();
    const folder = await saveRun(root);
    const copy = join(await tempDir(), "step100");
    await cp(folder, copy, { recursive: true });
    const { code, stdout, stderr } = await checkpoint("diff", folder, copy);
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(stdout).toMatch(/^The same: 2 tensors \(2 by digest, 0 B read\)\.$/m);
    const asJson = await checkpoint("diff", folder, copy, "--json");
    expect(JSON.parse(asJson.stdout)).toMatchObject({ a: folder, b: copy, equal: true, same: 2 });
  });

  test("another step differs in tensors and values, each with where first", async () => {
    const root = await tempDir();
    const a = await saveRun(root, { tag: "a", step: 1 });
    const b = await saveRun(root, { tag: "b", step: 2, seed: 9, lr: 0.25 });
    const { code, stdout } = await checkpoint("diff", a, b);
    expect(code).toBe(1);
    expect(stdout).toMatch(
      /^Different: 1 tensor with other bits, 2 other values; 1 tensor the same/m,
    );
    expect(stdout).toMatch(/^model\/w +\d+ of 120 +\[0, 0\] +0\.\d+ +0\.\d+ +0\.\d+ +\d+ +0$/m);
    expect(stdout).toMatch(/^optimizer\/lr +0\.5 +0\.25$/m);
    expect(stdout).toMatch(/^step +1 +2$/m);
  });

  test("files of others are compared by their bits; -0 and NaN keep their names", async () => {
    const folder = await tempDir();
    const files = createNodeFiles();
    const [a, b] = [join(folder, "a.safetensors"), join(folder, "b.safetensors")];
    await saveSafetensors(files, a, { x: fromValues([0, 1, 2]), only: fromValues([1]) });
    await saveSafetensors(files, b, { x: fromValues([-0, 1, Number.NaN]), other: fromValues([1]) });
    const { code, stdout } = await checkpoint("diff", a, b);
    expect(code).toBe(1);
    expect(stdout).toMatch(/^x +2 of 3 +\[0\] +0 +-0 +0 +0 +1$/m);
    expect(stdout).toMatch(/ONLY IN A\n {2}only\n/);
    expect(stdout).toMatch(/ONLY IN B\n {2}other\n/);
    const { tensors } = JSON.parse((await checkpoint("diff", a, b, "--json")).stdout) as {
      readonly tensors: readonly { readonly difference: object }[];
    };
    expect(tensors[0]?.difference).toMatchObject({
      firstA: 0,
      firstB: "-0",
      maxAbs: 0,
      notNumbers: 1,
    });
  });

  test("--limit shows the first differences and counts the rest", async () => {
    const folder = await tempDir();
    const files = createNodeFiles();
    const [a, b] = [join(folder, "a.safetensors"), join(folder, "b.safetensors")];
    const many = Object.fromEntries(["p", "q", "r"].map((name) => [name, fromValues([1])]));
    await saveSafetensors(files, a, many);
    await saveSafetensors(files, b, {});
    const { stdout, stderr } = await checkpoint("diff", a, b, "--limit", "2");
    expect(stderr).toBe("");
    expect(stdout).toMatch(/ONLY IN A\n {2}p\n {2}q\n {2}… and 1 more\n/);
    const wrong = await checkpoint("diff", a, b, "--limit", "0");
    expect(wrong.code).toBe(2);
    expect(wrong.stderr).toMatch(/`--limit 0` is not a whole number from 1/);
  });

  test("a missing path ends with 2", async () => {
    const file = await saveFile(await tempDir(), "a.safetensors");
    const { code, stderr } = await checkpoint("diff", file, `${file}.missing`);
    expect(code).toBe(2);
    expect(stderr).toMatch(/^E_CHECKPOINT_MISSING/);
  });

  test("values that JSON does not have are compared and shown as what they are", async () => {
    const root = await tempDir();
    const a = (await save("a", { big: 12n, rate: Number.NaN, zero: 0, same: 7n }, { root })).folder;
    const b = (await save("b", { big: 13n, rate: 1, zero: -0, same: 7n }, { root })).folder;
    const { code, stdout } = await checkpoint("diff", a, b);
    expect(code).toBe(1);
    expect(stdout).toMatch(/^big +12n +13n$/m);
    expect(stdout).toMatch(/^rate +NaN +1$/m);
    expect(stdout).toMatch(/^zero +0 +-0$/m);
    expect(JSON.parse((await checkpoint("diff", a, b, "--json")).stdout)).toMatchObject({
      values: [
        { path: "big", a: "12n", b: "13n" },
        { path: "rate", a: "NaN", b: 1 },
        { path: "zero", a: 0, b: "-0" },
      ],
    });
    expect((await checkpoint("diff", a, a)).code).toBe(0);
    const inspected = (await checkpoint("inspect", a)).stdout;
    expect(inspected).toMatch(/^big +12n$/m);
    expect(inspected).toMatch(/^rate +NaN$/m);
  });
});
