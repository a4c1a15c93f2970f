import { execFile } from "node:child_process";
import { rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { beforeAll, describe, expect, it } from "vitest";
import { controlLayout } from "../../../src/hardware/shim/control-block.ts";
import { disarmControl, ensureControl } from "../../../src/hardware/shim/index.ts";
import {
  buildShimStubs,
  Caller,
  noStubs,
  type ShimStubs,
} from "../../support/fake-cuda-shim/index.ts";
import { missing } from "../../support/missing.ts";
import { tempDir } from "../../support/temp-dir.ts";
import { waitUntil } from "../../support/wait-until.ts";
import { arm } from "./support.ts";

const run = promisify(execFile);
const everything = [
  "link cudaGetDeviceCount &",
  "scratch",
  "link cudaSetDevice 1",
  "link cudaGetDevice &",
  "scratch",
  "link cudaMalloc & 77",
  "scratch",
  "link cudaLaunchKernel 1 8589934593 3 17179869188 6 7 8 9",
  "link cuLaunchKernel 1 2 3 4 5 6 7 8 9 10 11",
  "proc cuLaunchKernel 1 2 3 4 5 6 7 8 9 10 11",
  "link cudaEventQuery 0",
  "proc cuMemAlloc & 5",
  "scratch",
  "proc1 cuMemAlloc & 5",
  "twice cuMemAlloc & 6",
  "procs cuStreamSynchronize 0",
  "link stubDriverCalls",
  "entry cuCtxSynchronize",
  "proc stubDriverCalls",
  "proc cuNothing",
  "default cudaNothing",
  "default cudaFuncGetName",
  "default cudaMalloc & 9",
  "self cudaFuncGetName",
  "self cudaMalloc & 9",
  "version cudaMalloc & 9",
  "link stubDriverFails 46",
  "link cudaMalloc & 9",
  "link cuCtxSynchronize",
  "link cudaGetLastError",
  "link cudaGetLastError",
];

describe.skipIf(noStubs !== "")(`calls through the shim${noStubs}`, () => {
  let stubs: ShimStubs;
  let plain: readonly string[];
  beforeAll(async () => {
    stubs = await buildShimStubs();
    await using caller = new Caller(stubs, { shim: false });
    plain = await caller.askAll(...everything);
  });

  it("answer what they answer without it: up to 11 arguments, errors, what does not exist", async () => {
    expect(plain).toContain("506");
    expect(plain).toContain("600");
    expect(plain).toContain("46");
    expect(plain).toContain("none");
    await using caller = new Caller(stubs);
    expect(await caller.askAll(...everything)).toEqual(plain);
  });

  it("answer the same with a block that is disarmed, past its time, or armed for a GPU that is not there", async () => {
    const control = join(await tempDir(), "control");
    await ensureControl(control);
    await using disarmed = new Caller(stubs, { control });
    expect(await disarmed.askAll(...everything)).toEqual(plain);
    await arm(control, { xid: 79 }, { forMs: -10_000 });
    await using late = new Caller(stubs, { control });
    expect(await late.askAll(...everything)).toEqual(plain);
    await arm(control, { xid: 79, gpus: [5] });
    await using elsewhere = new Caller(stubs, { control });
    expect(await elsewhere.askAll(...everything)).toEqual(plain);
  });

  it("answer the same with a file that is no block: missing, short, a folder, or of somebody else", async () => {
    const folder = await tempDir();
    const short = join(folder, "short");
    const other = join(folder, "other");
    await writeFile(short, "1");
    await writeFile(other, Buffer.alloc(4096, 0xff));
    for (const control of [join(folder, "absent"), short, folder, other]) {
      await using caller = new Caller(stubs, { control });
      expect(await caller.askAll(...everything), control).toEqual(plain);
    }
  });

  it("notice a block that comes after the process started, is replaced, or goes", async () => {
    const control = join(await tempDir(), "control");
    await using caller = new Caller(stubs, { control });
    const works = async (code: string) =>
      (await caller.ask("repeat 20 link cudaMalloc & 8")).endsWith(code);
    const transient = { inFlight: 802, onInit: 0, sticky: false };
    expect(await works("0")).toBe(true);
    await arm(control, { xid: 143 }, { codes: transient });
    await waitUntil("the new block is obeyed", () => works("802"));
    const next = `${control}.next`;
    await arm(next, { xid: 143 }, { codes: { ...transient, inFlight: 803 } });
    await rename(next, control);
    await waitUntil("the block in its place is obeyed", () => works("803"));
    await rm(control);
    await waitUntil("nothing is armed without a block", () => works("0"));
  });

  it("go through again by themselves when the time is over", async () => {
    const control = join(await tempDir(), "control");
    await ensureControl(control);
    await using caller = new Caller(stubs, { control });
    await arm(
      control,
      { xid: 143 },
      { codes: { inFlight: 802, onInit: 802, sticky: false }, forMs: 500 },
    );
    await waitUntil(
      "the fault has run out",
      async () => (await caller.ask("link cudaMalloc & 8")) === "0",
    );
  });

  it.skipIf(missing("objdump") !== "")(
    `need a C library no newer than 2.17${missing("objdump")}`,
    async () => {
      const { stdout } = await run("objdump", ["-T", stubs.library]);
      const versions = [...stdout.matchAll(/GLIBC_2\.(\d+)/g)].map(([, minor]) => Number(minor));
      expect(Math.max(...versions)).toBeLessThanOrEqual(17);
      expect(stdout).not.toMatch(/UND.*\bdl(v?sym|open)\b/);
    },
  );

  it("have a layout of the block that C and TypeScript agree on", async () => {
    const { stdout } = await run(stubs.layout);
    const sizes = { u32: 4, i32: 4, u64: 8, i64: 8 } as const;
    const ours = Object.entries(controlLayout).map(([name, { offset, type }]) => [
      name,
      { offset, bytes: sizes[type] },
    ]);
    expect(JSON.parse(stdout)).toEqual({
      ...Object.fromEntries(ours),
      all: { offset: 16, bytes: 112 },
    });
  });

  it("leave programs alone that have nothing to do with CUDA", async () => {
    const env = { LD_PRELOAD: stubs.library };
    const { stdout, stderr } = await run(process.execPath, ["-p", "6 * 7"], { env });
    expect([stdout.trim(), stderr]).toEqual(["42", ""]);
  });

  it("are not disturbed by disarming what was never armed", async () => {
    const control = join(await tempDir(), "control");
    await ensureControl(control);
    await using caller = new Caller(stubs, { control });
    await disarmControl(control);
    expect(await caller.ask("link cudaMalloc & 8")).toBe("0");
  });
});
