import { chmod, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { runCli } from "../../support/built-cli.ts";
import { buildFakeCuda, reasonOf } from "../../support/fake-cuda/index.ts";
import { tempDir } from "../../support/temp-dir.ts";

/** What a machine of any size passes. */
const modest = { gpus: 0, memoryFreeMiB: 1, diskFreeMiB: 0, compute: false };

function gate(options: object, args: readonly string[] = [], env: Record<string, string> = {}) {
  // Machines that run tests are slow machines.
  const given = ["--timeout", "100s", "--options", JSON.stringify(options)];
  return runCli(["check", "run", "--profile", "prolog", ...given, ...args], { env });
}

/** A program of a site's own, in shell, as options of a check. */
async function ownProgram(...lines: readonly string[]) {
  const path = join(await tempDir(), "my-check");
  await writeFile(path, `#!/bin/sh\n${lines.join("\n")}\n`);
  await chmod(path, 0o755);
  return { command: [path] };
}

describe("tessera check run --profile prolog", () => {
  test("says in one line that a machine is good, and ends with 0", async () => {
    const { code, stdout, stderr } = await gate({ ...modest, compute: true });
    expect([code, stderr]).toEqual([0, ""]);
    expect(stdout).toMatch(
      /^tessera: \S+ is good \([\d.]+ s\): .* products on the processors .*\n$/,
    );
  });

  test("says what is proved to be wrong, and ends with 1", async () => {
    const { code, stdout } = await gate({ ...modest, memoryFreeMiB: 2 ** 40 });
    expect([code, stdout]).toEqual([
      1,
      expect.stringMatching(/^tessera: \S+ is bad .*memory.*\n$/),
    ]);
  });

  test("says what could not be decided, and ends with 3", async () => {
    const { code, stdout } = await gate({ ...modest, folders: ["/nonexistent/a"] });
    expect([code, stdout]).toEqual([3, expect.stringMatching(/is not decided .*ENOENT/)]);
  });

  test("names the node as Slurm does", async () => {
    const { stdout } = await gate(modest, [], { SLURMD_NODENAME: "g3" });
    expect(stdout).toContain("tessera: g3 is good");
  });

  test("prints a report for programs", async () => {
    const { code, stdout } = await gate(modest, ["--json"]);
    const report: unknown = JSON.parse(stdout);
    expect([code, report]).toEqual([0, expect.objectContaining({ verdict: "pass" })]);
  });

  test("reads no configuration, and hands in nothing", async () => {
    const env = { TESSERA_CONFIG: "/nonexistent.yaml", TESSERA_RUN_ID: "run-1" };
    expect((await gate({ ...modest, compute: true }, [], env)).code).toBe(0);
    // The same variables are an error for every other command.
    expect((await runCli(["check", "run", "host-compute"], { env })).code).toBe(2);
  });

  test.each([
    ["too many GPUs", ["--gpus", "65"], /--gpus 65/],
    ["options that it does not have", ["--options", '{"x":1}'], /E_CHECK_OPTIONS/],
  ])("refuses %s", async (_, args, words) => {
    const { code, stderr } = await runCli(["check", "run", "--profile", "prolog", ...args]);
    expect([code, stderr]).toEqual([2, expect.stringMatching(words)]);
  });

  test("alone takes --gpus", async () => {
    const { code, stderr } = await runCli(["check", "run", "host-compute", "--gpus", "1"]);
    expect([code, stderr]).toEqual([2, expect.stringContaining("--profile prolog")]);
  });
});

describe("a check of a site's own before a job", () => {
  const own = async (lines: readonly string[], args: readonly string[] = ["--timeout", "100s"]) =>
    runCli([
      ...["check", "run", "mine", "--profile", "prolog", ...args],
      ...["--options", JSON.stringify(await ownProgram(...lines))],
    ]);

  test("decides by what it proves", async () => {
    const good = await own([`echo '{"figures":{}}'`]);
    expect([good.code, good.stdout]).toEqual([0, expect.stringContaining("is good")]);
    const bad = await own([`echo '{"figures":{},"hardFacts":["the cable is out"]}'`]);
    expect([bad.code, bad.stdout]).toEqual([1, expect.stringContaining("the cable is out")]);
  });

  test("that fails itself proves nothing", async () => {
    const { code, stdout } = await own(["echo no licence >&2", "exit 1"]);
    expect([code, stdout]).toEqual([3, expect.stringContaining("no licence")]);
  });

  test("that hangs is left when the time is up", async () => {
    const { code, stdout } = await own(["exec sleep 1000"], ["--timeout", "2s"]);
    expect([code, stdout]).toEqual([3, expect.stringContaining("did not end within")]);
  });
});

const fake = await buildFakeCuda();

describe.skipIf("reason" in fake)(`a gate on fake GPUs${reasonOf(fake)}`, () => {
  const onGpus = (env: Record<string, string>, args: readonly string[] = []) =>
    gate({ memoryFreeMiB: 1, diskFreeMiB: 0, compute: false, xidHours: 0 }, args, {
      ...("reason" in fake ? {} : fake.env),
      FAKE_CUDA_DEVICES: "2",
      ...env,
    });

  test("finds GPUs that are all there good, and one that is missing bad", async () => {
    const good = await onGpus({}, ["--gpus", "2"]);
    expect([good.code, good.stdout]).toEqual([0, expect.stringContaining("answers for 2 GPUs")]);
    const bad = await onGpus({}, ["--gpus", "8"]);
    expect([bad.code, bad.stdout]).toEqual([1, expect.stringContaining("must have 8")]);
  });

  test("finds a GPU bad that waits for a reset, unless the job has another", async () => {
    const broken = { FAKE_NVML_REMAP_PENDING: "0,1:1" };
    expect((await onGpus(broken)).stdout).toMatch(/is bad .*gpu 1 .*waits for a reset/);
    const job = { ...broken, SLURM_JOB_ID: "7" };
    expect((await onGpus({ ...job, SLURM_JOB_GPUS: "0" })).code).toBe(0);
    expect((await onGpus({ ...job, SLURM_JOB_GPUS: "1" })).code).toBe(1);
  });

  test("goes by the device files of the job's GPUs, which the driver may have in another order", async () => {
    const broken = { FAKE_NVML_REMAP_PENDING: "0,1:1", FAKE_NVML_MINOR: "0:1,1:0" };
    const job = { ...broken, SLURM_JOB_ID: "7" };
    expect((await onGpus({ ...job, SLURM_JOB_GPUS: "1" })).code).toBe(0);
    expect((await onGpus({ ...job, SLURM_JOB_GPUS: "0" })).code).toBe(1);
    const mute = await onGpus({ ...job, FAKE_NVML_MINOR: "none", SLURM_JOB_GPUS: "0" });
    expect([mute.code, mute.stdout]).toEqual([3, expect.stringContaining("the job has GPU 0")]);
  });
});
