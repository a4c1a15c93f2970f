import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { tempDir } from "../../support/temp-dir.ts";
import { checkpoint, saveRun, shardIn, turnBit } from "./support.ts";

const to = ["--to", "tp=4,pp=2"];

describe("tessera checkpoint reshard", () => {
  test("writes the same tensors for another mesh", async () => {
    const folder = await saveRun(await tempDir());
    const out = join(await tempDir(), "new");
    const { code, stdout, stderr } = await checkpoint("reshard", folder, ...to, "--out", out);
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(stdout).toMatch(/^step100 of .* is now also at .*new\/step100\.$/m);
    expect(stdout).toMatch(/^mesh +tp=3,dp=2 -> tp=4,pp=2$/m);
    expect(stdout).toMatch(/^tensors +2, each with the digest it had$/m);
    expect(stdout).toMatch(/^WORLD_SIZE_CHANGED/m);
    expect((await checkpoint("diff", folder, join(out, "step100"))).code).toBe(0);
    expect((await checkpoint("verify", join(out, "step100"))).code).toBe(0);
    const { stdout: inspected } = await checkpoint("inspect", join(out, "step100"));
    expect(inspected).toMatch(/^model\/w .*tp: S\(0\), pp: R/m);
  });

  test("a dry run says what would lie how, and writes nothing", async () => {
    const folder = await saveRun(await tempDir());
    const out = join(await tempDir(), "new");
    const argv = ["reshard", folder, ...to, "--out", out, "--tag", "other", "--dry-run"];
    const { code, stdout } = await checkpoint(...argv);
    expect(code).toBe(0);
    expect(stdout).toMatch(/would be written to .*new\/other; nothing is written now\.$/m);
    expect(stdout).toMatch(
      /^model\/w +f32 +\[12, 10\] +480 B +tp: S\(0\), dp: R +tp: S\(0\), pp: R$/m,
    );
    expect(stdout).toMatch(/^model\/bias +f32 +\[7\] +28 B +whole +whole$/m);
    await expect(readdir(out)).rejects.toThrow("ENOENT");
    expect(JSON.parse((await checkpoint(...argv, "--json")).stdout)).toMatchObject({
      dryRun: true,
      from: folder,
      to: join(out, "other"),
      totalBytes: 508,
      newMesh: { axes: ["tp", "pp"], shape: [4, 2] },
    });
  });

  test("takes the newest of a root, and gives programs what was written", async () => {
    const root = await tempDir();
    await saveRun(root, { tag: "step1", step: 1 });
    const newest = await saveRun(root, { tag: "step2", step: 2 });
    const out = await tempDir();
    const { code, stdout } = await checkpoint("reshard", root, ...to, "--out", out, "--json");
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({
      dryRun: false,
      from: newest,
      to: join(out, "step2"),
      saved: { tag: "step2", step: 2 },
      tensors: 2,
    });
    expect(await readdir(out)).toEqual(["step2"]);
  });

  test("never overwrites: a tag that is there is refused, in the source's own root too", async () => {
    const root = await tempDir();
    const folder = await saveRun(root);
    const { code, stderr } = await checkpoint("reshard", folder, ...to, "--out", root);
    expect(code).toBe(2);
    expect(stderr).toMatch(/step100 is there already: give another --tag or --out/);
    expect(await readdir(root)).toEqual(["step100"]);
    const other = await checkpoint("reshard", folder, ...to, "--out", root, "--tag", "step100-tp4");
    expect(other.code).toBe(0);
    expect((await readdir(root)).toSorted()).toEqual(["step100", "step100-tp4"]);
  });

  test("a damaged checkpoint is refused, and nothing is left of the attempt", async () => {
    const folder = await saveRun(await tempDir());
    await turnBit(await shardIn(folder), -1);
    const out = await tempDir();
    const { code, stderr } = await checkpoint("reshard", folder, ...to, "--out", out);
    expect(code).toBe(1);
    expect(stderr).toMatch(/^E_CHECKPOINT_CORRUPT: .*piece-hash/);
    expect(await readdir(out)).toEqual([]);
  });

  test.each([
    [["--out", "x"], "Give --to"],
    [["--to", "tp=2"], "Give --out"],
    [["--to", "tp", "--out", "x"], "`--to tp` is no mesh"],
    [["--to", "tp=0", "--out", "x"], "`--to tp=0` is no mesh"],
    [["--to", "tp=2,tp=3", "--out", "x"], "tp"],
    [["--to", "tp=9999,dp=9999", "--out", "x"], "at most 1000000 devices"],
    [["--to", "tp=2", "--out", "x", "--tag", "../up"], "`--tag ../up` is none"],
  ])("%j is refused", async (argv, problem) => {
    const folder = await saveRun(await tempDir());
    const { code, stdout, stderr } = await checkpoint("reshard", folder, ...argv);
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    expect(stderr).toContain(problem);
  });

  test("where there is no checkpoint it says so and ends with 2", async () => {
    const folder = await tempDir();
    const { code, stderr } = await checkpoint("reshard", folder, ...to, "--out", `${folder}/x`);
    expect(code).toBe(2);
    expect(stderr).toMatch(/^E_CHECKPOINT_MISSING/);
  });
});
