import { mkdtemp, rm, truncate, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it, onTestFinished } from "vitest";
import {
  arrayJob,
  CampaignFolder,
  taskState,
} from "../../../../src/chaos/campaign/on-slurm/index.ts";
import type { SlurmJob } from "../../../../src/platform/slurm/index.ts";
import { VirtualClock } from "../../../../src/platform/time/index.ts";
import { createFakeSlurm } from "../../../platform/slurm/fake-slurm.ts";
import { honest } from "../lib/fake-trial.ts";
import { inline, runPart } from "../lib/run-part.ts";

async function jobLike(change: Partial<SlurmJob>): Promise<SlurmJob> {
  const slurm = createFakeSlurm({ clock: new VirtualClock() });
  slurm.test.userJob(["--array=0-1"]);
  const [job] = await slurm.jobs();
  if (job === undefined) throw new Error("there is a job");
  return { ...job, ...change };
}

describe("what has become of a task", () => {
  it.each([
    ["PENDING", {}, "waits"],
    ["RUNNING", {}, "runs"],
    ["COMPLETED", { exitCode: 0 }, "completed"],
    ["PREEMPTED", { exitSignal: 15 }, "preempted"],
    ["NODE_FAIL", {}, "lost"],
    ["CANCELLED", { exitSignal: 15 }, "lost"],
    ["FAILED", { exitSignal: 9 }, "lost"],
    ["FAILED", { exitCode: 130 }, "lost"],
    ["FAILED", { exitCode: 2 }, "failed"],
    ["FAILED", { exitSignal: 53 }, "failed"],
    ["TIMEOUT", {}, "failed"],
    ["OUT_OF_MEMORY", {}, "failed"],
    ["A_STATE_OF_TOMORROW", {}, "runs"],
  ] as const)("is told of %s, %o: %s", async (state, more, kind) => {
    const job = await jobLike({ state, exitCode: undefined, exitSignal: undefined, ...more });
    expect(taskState([job], 1, 0).kind).toBe(kind);
  });

  it("is read from the record of all that wait, but not from that of another task or array", async () => {
    const waiting = await jobLike({ state: "PENDING", arrayTaskId: undefined });
    expect(taskState([waiting], 1, 7).kind).toBe("waits");
    const other = await jobLike({ state: "RUNNING" });
    expect(taskState([other], 1, 1)).toMatchObject({
      kind: "lost",
      problem: "Slurm knows it no longer",
    });
    expect(taskState([other], 2, 0).kind).toBe("lost");
  });
});

describe("a campaign's folder", () => {
  it("gives back a part whole or not at all, wherever its file is cut or changed", async () => {
    const path = await mkdtemp(join(tmpdir(), "tessera-folder-"));
    onTestFinished(() => rm(path, { recursive: true, force: true }));
    const folder = new CampaignFolder(path);
    await folder.prepare();
    const range = { from: 3, to: 9 };
    const part = await runPart([3, 9], [inline(honest)]);
    await folder.writePart([range], part);
    expect(await folder.readPart(range)).toEqual(part);
    expect(await folder.partSpans()).toEqual([range]);
    const file = join(path, "parts", "3-9.part");
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 0, max: 500 }), async (bytes) => {
        await folder.writePart([range], part);
        await truncate(file, bytes);
        expect(await folder.readPart(range)).toBeUndefined();
      }),
      { numRuns: 20 },
    );
    await writeFile(join(path, "parts", ".3-9.part.tmp"), "half");
    expect(await folder.partSpans()).toEqual([range]);
  });

  it("knows its own mark, and no plan or note that is not whole", async () => {
    const path = await mkdtemp(join(tmpdir(), "tessera-folder-"));
    onTestFinished(() => rm(path, { recursive: true, force: true }));
    const folder = new CampaignFolder(path);
    expect(await folder.hasMark()).toBe(false);
    await folder.prepare();
    expect(await folder.hasMark()).toBe(true);
    await writeFile(join(path, "mark"), "another");
    expect(await folder.hasMark()).toBe(false);
    const plan = { version: "1", seed: "t", tasks: [[{ from: 0, to: 5 }], [{ from: 6, to: 7 }]] };
    const name = await folder.writePlan(plan);
    expect(await folder.readPlan(name)).toEqual(plan);
    await truncate(join(path, "plans", `${name}.json`), 20);
    expect(await folder.readPlan(name)).toBeUndefined();
    expect(await folder.readNote("1_0")).toBeUndefined();
  });
});

describe("the text of an array's indexes", () => {
  it("names each once, and stretches by their ends", () => {
    const argOf = (indexes: readonly number[]) =>
      arrayJob({
        ...{ name: "n", folder: new CampaignFolder("/f"), program: "/p", searchPath: "" },
        ...{ seed: "t", tasks: [], indexes },
      }).args.find((arg) => arg.startsWith("--array="));
    expect(argOf([0, 1, 2, 3])).toBe("--array=0-3");
    expect(argOf([7])).toBe("--array=7");
    expect(argOf([5, 0, 1, 9])).toBe("--array=0-1,5,9");
  });
});
