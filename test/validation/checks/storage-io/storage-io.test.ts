import { chmod, mkdir, readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { executeCheck, prepareCheck } from "../../../../src/validation/checks/index.ts";
import { storageFigures } from "../../../../src/validation/checks/storage-io/figures.ts";
import { type CheckRun, classifyRuns } from "../../../../src/validation/classify/index.ts";
import type { RunResult } from "../../../../src/validation/run.ts";
import { missing } from "../../../support/missing.ts";
import { tempDir } from "../../../support/temp-dir.ts";
import { executionOf, host } from "../support.ts";
import { captured, capturedFolder } from "./support.ts";

const mebibyte = 2 ** 20;
const small = {
  sizeBytes: 4 * mebibyte,
  checkpointBytes: mebibyte,
  verifyBytes: 4 * mebibyte,
  runtimeMs: 400,
  rampMs: 0,
  jobs: 2,
  files: 20,
};
const env = { PATH: process.env["PATH"] };

async function testStorage(
  options: Record<string, unknown>,
  change: Parameters<typeof executionOf>[0] = {},
  machine = host,
) {
  const how = executionOf({ env, ...change });
  const prepared = prepareCheck("storage-io", { ...small, ...options }, machine);
  const { result } = await executeCheck({ ...how, prepared });
  return { result, lines: how.lines };
}

function asRun(node: string, { figures, hardFacts, outcome }: Omit<RunResult, "runId">): CheckRun {
  const all = Object.entries(figures).map(
    ([name, figure]) => [name, { ...figure, samples: Float64Array.from(figure.samples) }] as const,
  );
  return {
    node,
    check: "storage-io",
    sku: "host",
    timestampMs: 0,
    completed: outcome === "completed",
    figures: new Map(all),
    hardFacts,
  };
}

const meanOf = (samples: readonly number[]): number =>
  samples.reduce((sum, sample) => sum + sample, 0) / samples.length;

const noFio = missing("fio");

describe.skipIf(noFio !== "")(`storage-io with a real fio${noFio}`, () => {
  test("measures every figure in samples and leaves nothing behind", async () => {
    const directory = await tempDir();
    const control = { node: "node-2", figures: { read_bw: 1 } };
    const { result, lines } = await testStorage({ directory, control });
    expect(result, result.error).toMatchObject({ outcome: "completed", hardFacts: [] });
    expect(await readdir(directory)).toEqual([]);
    for (const [name, unit] of Object.entries(storageFigures)) {
      const figure = result.figures[name];
      expect(figure, name).toMatchObject({ unit, higherIsBetter: !name.endsWith("_ms") });
      expect(figure?.samples.length, name).toBeGreaterThanOrEqual(1);
      expect(
        figure?.samples.every((sample) => sample > 0),
        name,
      ).toBe(true);
    }
    // A starved machine has fewer, but not of everything.
    const counts = Object.values(result.figures).map(({ samples }) => samples.length);
    expect(Math.max(...counts)).toBeGreaterThan(5);
    expect(result.figures["read_bw_ratio"]?.samples).toEqual(result.figures["read_bw"]?.samples);
    expect(result.facts).toMatchObject({
      directory,
      mismatches: 0,
      othersAtStart: 0,
      sizeBytes: small.sizeBytes,
      controlNode: "node-2",
      patterns: { read: { latencyMs: { "p99.9": expect.any(Number) } } },
    });
    expect(result.facts["rehearsal"]).toBeUndefined();
    expect(lines.join("\n")).toMatch(/randread: randread_iops [\d.]+ kIOPS/);
  });

  test("a flipped bit is a hard fact that names the place, and fails the node", async () => {
    const corrupt = { offsetBytes: 3 * mebibyte + 99 };
    const directory = await tempDir();
    const { result } = await testStorage({ directory, patterns: ["verify"], corrupt });
    expect(result.outcome).toBe("completed");
    expect(result.hardFacts).toEqual([
      expect.stringMatching(/wrong data: .*on purpose.*file data\.0 offset 3145728/),
    ]);
    expect(result.facts).toMatchObject({ mismatches: 1, rehearsal: { corrupt } });
    expect(classifyRuns([asRun("a", result)])[0]?.verdict).toBe("fail");
    const whole = await testStorage({ directory, patterns: ["verify"] });
    expect(whole.result).toMatchObject({ outcome: "completed", hardFacts: [] });
  });

  test("a slow disk among others of its kind is classified as slow", async () => {
    const directory = await tempDir();
    // What keeps a run from its rate or from its samples is this machine's other work: measured again.
    const samplesKept = 6;
    const measure = async (rateBytesPerSecond: number) => {
      const options = { directory, patterns: ["randread"], rateBytesPerSecond };
      for (let attempt = 0; attempt < 30; attempt++) {
        const { result } = await testStorage(options);
        const rate = result.figures["randread_iops"];
        const samples = (rate?.samples ?? []).slice(0, samplesKept);
        const kept = (meanOf(samples) * 1000 * 4096) / rateBytesPerSecond;
        if (rate === undefined || samples.length < samplesKept || Math.abs(kept - 1) > 0.03)
          continue;
        // By the rate alone: how long a single read waited is not the disk's affair here either.
        return { runId: "", ...result, figures: { randread_iops: { ...rate, samples } } };
      }
      throw new Error(`no run of 30 kept its rate of ${rateBytesPerSecond} bytes/s`);
    };
    // Disks of about one speed, wider apart than a run's own noise, and one of a quarter of it.
    const healthy: RunResult[] = [];
    for (const percent of [90, 93, 96, 99, 101, 104, 107, 110]) {
      healthy.push(await measure(Math.round((4 * mebibyte * percent) / 100)));
    }
    const slow = await measure(mebibyte);
    const runs = [...healthy, slow].map((result, index) => asRun(`node-${index}`, result));
    const verdicts = classifyRuns(runs);
    const fast = verdicts.slice(0, 8).map(({ reason }) => reason);
    expect(fast.filter((reason) => !reason.startsWith("All figures lie within"))).toEqual([]);
    expect(verdicts[8]?.verdict, verdicts[8]?.reason).toMatch(/^(suspect|fail)$/);
    expect(verdicts[8]?.reason).toContain("randread_iops");
    expect(slow.facts["rehearsal"]).toEqual({ rateBytesPerSecond: mebibyte });
    // Otherwise it would only be compared with other rehearsals.
    expect(slow.cohort).toBe(healthy[0]?.cohort);
  });

  test("one that is stopped leaves nothing behind", async () => {
    const directory = await tempDir();
    const stop = new AbortController();
    const log = (line: string) => {
      if (line.startsWith("write:")) stop.abort(new Error("SIGTERM"));
    };
    const { result } = await testStorage({ directory }, { signal: stop.signal, log });
    expect(result).toMatchObject({ outcome: "cancelled", error: "SIGTERM" });
    expect(await readdir(directory)).toEqual([]);
  });

  test("other folders of its kind are swept or counted, and strangers are left alone", async () => {
    const directory = await tempDir();
    const live = ".tessera-storage-io-1-0123456789ab-1-1";
    for (const name of [live, "my-data"]) await mkdir(join(directory, name));
    const { result } = await testStorage({ directory, patterns: ["verify"] });
    expect(result.facts).toMatchObject({ othersAtStart: 1, othersAtEnd: 1 });
    expect((await readdir(directory)).toSorted()).toEqual([live, "my-data"]);
  });

  test.each([
    ["no folder is named", {}, /directory: name a folder on the mount/],
    ["it is not there", { directory: "/nowhere/at/all" }, /is not a folder/],
    ["it is read-only for all", { directory: "/proc" }, /\/proc.* /],
  ])("when %s it says so", async (_, options, problem) => {
    const { result } = await testStorage(options);
    expect(result).toMatchObject({ outcome: "error", figures: {} });
    expect(result.error).toMatch(problem);
  });

  test("a file system without room is not filled", async () => {
    const { result } = await testStorage({ directory: await tempDir(), sizeBytes: 2 ** 44 });
    expect(result.error).toMatch(/there is room for .* and it needs 32 TiB: set sizeBytes lower/);
  });

  test("every round adds its own samples", async () => {
    const options = { directory: await tempDir(), patterns: ["randread"], rounds: 2 };
    const { result, lines } = await testStorage(options);
    const said = lines.filter((line) => line.startsWith("randread:"));
    const counts = said.map((line) => Number(/iops .*?\((\d+) samples\)/.exec(line)?.[1]));
    expect(counts).toHaveLength(2);
    expect(result.figures["randread_iops"]?.samples).toHaveLength(
      (counts[0] ?? 0) + (counts[1] ?? 0),
    );
  });

  test("in a job it tests the volume that results go to", async () => {
    const directory = await tempDir();
    await writeFile(join(directory, "a-result"), "");
    const change = { env: { ...env, TESSERA_RESULT_DIR: directory } };
    const { result } = await testStorage({ patterns: ["verify"] }, change);
    expect(result.facts["directory"]).toBe(directory);
    expect(await readdir(directory)).toEqual(["a-result"]);
  });
});

describe("a machine without fio", () => {
  test("cannot run it, and one that nobody can ask might", () => {
    const without = { ...host, hasProgram: () => false };
    expect(() => prepareCheck("storage-io", {}, without)).toThrow("it needs fio");
    const { hasProgram: _, ...unknown } = host;
    expect(prepareCheck("storage-io", {}, unknown).check.name).toBe("storage-io");
  });
});

describe("a fio that does not do what it should", () => {
  const answers = `case $1 in --version) echo fio-9.9; exit;; --enghelp) printf 'engines:\\n\\tlibaio\\n'; exit;; esac`;

  test.each([
    ["has another engine only", { engine: "psync" }, "exit 0", /fio 9\.9 has no engine psync/],
    ["says nothing", {}, "exit 0", /write: fio wrote no report \(exit code 0\)/],
    ["complains", {}, "echo 'no such option' >&2; exit 1", /exit code 1, saying no such option/],
    ["crashes", {}, "kill -SEGV $$", /ended by SIGSEGV/],
    ["has measured nothing", {}, `cat "$CAPTURED/read.json"`, /has measured nothing/],
    ["writes no logs", {}, `cat "$CAPTURED/multi-write.json"`, /0 histogram logs for 1 jobs/],
    ["meets an error", {}, `cat "$CAPTURED/no-such-file.json"`, /fio ended with ENOENT \(2\)/],
  ])("and %s makes the run an error, never a figure of 0", async (_, options, body, problem) => {
    const folder = await tempDir();
    const script = [answers, body.replace("$CAPTURED", capturedFolder)].join("\n");
    await writeFile(join(folder, "fio"), `#!/bin/sh\n${script}\n`);
    await chmod(join(folder, "fio"), 0o755);
    const change = { env: { PATH: `${folder}:/usr/bin:/bin` } };
    const directory = await tempDir();
    const asked = { directory, patterns: ["write"], ...options };
    const { result } = await testStorage(asked, change, { ...host, hasProgram: () => true });
    expect(result).toMatchObject({ outcome: "error", figures: {}, hardFacts: [] });
    expect(result.error).toMatch(problem);
    expect(await readdir(directory)).toEqual([]);
  });

  test("but has totals, with logs that are empty, gives one sample and not none", async () => {
    const folder = await tempDir();
    const log =
      'for arg; do case $arg in --write_hist_log=*) : > "${arg#*=}_clat_hist.1.log";; esac; done';
    const script = [answers, log, `cat ${capturedFolder}/multi-write.json`].join("\n");
    await writeFile(join(folder, "fio"), `#!/bin/sh\n${script}\n`);
    await chmod(join(folder, "fio"), 0o755);
    const change = { env: { PATH: `${folder}:/usr/bin:/bin` } };
    const asked = { directory: await tempDir(), patterns: ["write"] };
    const { result } = await testStorage(asked, change, { ...host, hasProgram: () => true });
    expect(result.figures["write_bw"]?.samples).toHaveLength(1);
    expect(result.figures["write_p99_ms"]?.samples).toHaveLength(1);
  });

  test("an input/output error is a hard fact as well", async () => {
    const folder = await tempDir();
    const report = captured("no-such-file.json").replace('"error" : 2', '"error" : 5');
    await writeFile(join(folder, "report"), report);
    const script = `#!/bin/sh\n${answers}\necho 'fio: io_u error: Input/output error' >&2; cat ${folder}/report; exit 1\n`;
    await writeFile(join(folder, "fio"), script);
    await chmod(join(folder, "fio"), 0o755);
    const change = { env: { PATH: `${folder}:/usr/bin:/bin` } };
    const asked = { directory: await tempDir(), patterns: ["write"] };
    const { result } = await testStorage(asked, change, { ...host, hasProgram: () => true });
    expect(result.outcome).toBe("error");
    expect(result.hardFacts).toEqual([expect.stringContaining("Input/output error")]);
  });
});
