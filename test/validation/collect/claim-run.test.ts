import { mkdir, readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { claimRun } from "../../../src/validation/collect/index.ts";
import { tempDir } from "../../support/temp-dir.ts";

describe("claiming a run", () => {
  it("gives it to exactly one of many jobs that ask at once, and tells the others whose it is", async () => {
    const folder = join(await tempDir(), "probe", "g0");
    const path = join(folder, "Probe_g0_1.claim");
    const jobs = Array.from({ length: 20 }, (_, at) => `Slurm job ${at}`);
    const claims = await Promise.all(jobs.map((job) => claimRun(path, job)));
    const holder = await readFile(path, "utf8");
    expect(claims.filter(({ state }) => state === "mine")).toHaveLength(1);
    expect(claims[jobs.indexOf(holder)]).toEqual({ state: "mine" });
    const others = claims.filter(({ state }) => state !== "mine");
    expect(others).toEqual(others.map(() => ({ state: "taken", by: holder })));
    expect(await readdir(folder)).toEqual(["Probe_g0_1.claim"]);
  });

  it("gives it to the same job again, and to no other", async () => {
    const path = join(await tempDir(), "a.claim");
    expect(await claimRun(path, "Slurm job 1")).toEqual({ state: "mine" });
    expect(await claimRun(path, "Slurm job 1")).toEqual({ state: "mine" });
    expect(await claimRun(path, "Slurm job 12")).toEqual({ state: "taken", by: "Slurm job 1" });
  });

  it("does not know where nothing can be written", async () => {
    const path = join(await tempDir(), "a.claim");
    await mkdir(path);
    expect(await claimRun(path, "Slurm job 1")).toMatchObject({ state: "unknown" });
  });
});
