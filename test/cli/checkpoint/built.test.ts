import { truncate } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import { runCli } from "../../support/built-cli.ts";
import { tempDir } from "../../support/temp-dir.ts";
import { saveFile, saveRun, shardIn, turnBit } from "./support.ts";

describe("the built command", () => {
  test("verifies, compares, shows and lays out anew, with paths as they were typed", async () => {
    const folder = await saveRun(await tempDir());
    const cwd = dirname(folder);
    const inRoot = (...argv: readonly string[]) => runCli(["checkpoint", ...argv], { cwd });
    const good = await inRoot("verify", "step100", "--json");
    expect({ code: good.code, stderr: good.stderr }).toEqual({ code: 0, stderr: "" });
    expect(JSON.parse(good.stdout)).toMatchObject({
      ok: true,
      files: expect.arrayContaining([{ path: "step100/COMMIT", ok: true }]),
    });
    const resharded = await inRoot("reshard", ".", "--to", "tp=4,pp=2", "--out", "new");
    expect({ code: resharded.code, stderr: resharded.stderr }).toEqual({ code: 0, stderr: "" });
    expect((await inRoot("diff", "step100", "new/step100")).code).toBe(0);
    expect((await inRoot("inspect", "new")).stdout).toMatch(/^step100 +committed +100 /m);
    await turnBit(await shardIn(join(cwd, "new", "step100")), -1);
    const bad = await inRoot("verify", "new");
    expect(bad.code).toBe(1);
    expect(bad.stdout).toMatch(
      / bad step100\/shard-\d+-of-\d+\.safetensors: .*\(rule piece-hash\)$/m,
    );
  });

  test("judges a file of others by itself", async () => {
    const path = await saveFile(await tempDir(), "model.safetensors");
    const verify = () =>
      runCli(["checkpoint", "verify", basename(path), "--json"], { cwd: dirname(path) });
    expect(JSON.parse((await verify()).stdout)).toEqual({
      ok: true,
      files: [{ path: "model.safetensors", ok: true }],
    });
    await truncate(path, 7);
    const cut = await verify();
    expect(cut.code).toBe(1);
    expect(JSON.parse(cut.stdout)).toEqual({
      ok: false,
      files: [
        { path: "model.safetensors", ok: false, error: expect.stringContaining("prefix-missing") },
      ],
    });
    expect((await runCli(["checkpoint", "verify", "nowhere"])).code).toBe(2);
  });

  test("plans checkpoints", async () => {
    const { code, stdout } = await runCli([
      "plan-checkpoint",
      "--nodes",
      "2048",
      "--write-s",
      "60",
      "--restart-s",
      "600",
      "--json",
    ]);
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ source: "modelled", recommended: { keep: 2 } });
  });
});
