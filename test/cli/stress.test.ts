import { mkdir, readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { runCli, startCli } from "../support/built-cli.ts";
import { buildFakeCuda, reasonOf } from "../support/fake-cuda/index.ts";
import { tempDir } from "../support/temp-dir.ts";
import { waitUntil } from "../support/wait-until.ts";
import { runHere } from "./in-process.ts";

interface Item {
  readonly name: string;
  readonly status: string;
  readonly label: string;
  readonly reason: string;
  readonly facts: readonly { readonly name: string; readonly value: number; unit: string }[];
}
interface ReportShape {
  readonly verdict: string;
  readonly subject: string;
  readonly notes: readonly string[];
  readonly sections: readonly { readonly items: readonly Item[] }[];
  readonly plots: readonly { readonly title: string }[];
}

const reportOf = (stdout: string) => JSON.parse(stdout) as ReportShape;
const itemsOf = (stdout: string) => reportOf(stdout).sections.flatMap(({ items }) => items);
const small = ["--device", "cpu", "--size", "64", "--minutes", "0.01"];

describe("tessera stress", () => {
  it("keeps the processors busy, verifies all products and says how steady it was", async () => {
    const html = join(await tempDir(), "stress.html");
    const args = ["stress", "matmul", ...small, "--json", "--html", html];
    const { code, stdout, stderr } = await runCli(args);
    expect(stderr).toBe("");
    expect(code).toBe(0);
    const report = reportOf(stdout);
    expect(report.verdict).toBe("pass");
    expect(report.subject).toMatch(/^cpu \(/);
    expect(report.plots.map(({ title }) => title)).toEqual(["Rate over time"]);
    const rate = itemsOf(stdout).find(({ name }) => name === "rate");
    const facts = new Map(rate?.facts.map(({ name, value }) => [name, value]));
    for (const name of ["mean", "p01", "p50", "p99"]) expect(facts.get(name)).toBeGreaterThan(0);
    expect(facts.has("variation")).toBe(true);
    const page = await readFile(html, "utf8");
    expect(page).toContain("<svg");
    expect(page).toContain("Rate over time");
  });

  it("draws the run for people, and shows how it goes where there is no terminal", async () => {
    const { stdout } = await runCli([
      "stress",
      "mixed",
      "--device",
      "cpu",
      "--minutes",
      "0.01",
      "--size",
      "16",
    ]);
    expect(stdout).toContain("GFLOP/s over time");
    expect(stdout).toMatch(/^\.\.\. mixed 0\/1 .*GFLOP\/s.* 0 wrong$/m);
  });

  it("fails and names the iteration and the row of a product that is wrong", async () => {
    const args = ["stress", "matmul", ...small, "--corrupt", "2:9000", "--json"];
    const { code, stdout } = await runCli(args);
    expect(code).toBe(1);
    const failed = itemsOf(stdout).filter(({ status }) => status === "fail");
    expect(failed.map(({ name }) => name)).toEqual(["results", "product 2"]);
    expect(failed[1]?.reason).toContain(`row ${Math.floor(9000 / (64 * 32))}`);
    expect(reportOf(stdout).notes.join()).toContain("broken on purpose");
  });

  it("says that nobody looked when nothing is verified", async () => {
    const args = ["stress", "memory", "--device", "cpu", "--size", "1MiB", "--minutes", "0.005"];
    const { code, stdout } = await runCli([...args, "--verify", "none", "--json"]);
    expect(code).toBe(0);
    const results = itemsOf(stdout).find(({ name }) => name === "results");
    expect(results).toMatchObject({ status: "skipped", label: "not verified" });
  });

  it.each([
    [["matmul", "--minutes", "0"], "--minutes"],
    [["matmul", "--minutes", "soon"], "--minutes"],
    [["matmul", "--device", "gpu0"], "--device"],
    [["matmul", "--size", "4GiB"], "--size"],
    [["memory", "--size", "12"], "--size"],
    [["memory", "--dtype", "f32"], "--dtype"],
    [["matmul", "--device", "cpu", "--dtype", "i8"], "--dtype"],
    [["matmul", "--corrupt", "7"], "--corrupt"],
    [["matmul", "--corrupt", "7:1", "--verify", "none"], "--corrupt"],
    [["matmul", "--dir", "/tmp"], "--dir"],
    [["io"], "--dir"],
    [["io", "--dir", ".", "--device", "cpu"], "--device"],
  ])("refuses %j", async (args, flag) => {
    const { code, stderr } = await runHere(["stress", ...args]);
    expect(stderr).toContain("E_USAGE");
    expect(stderr).toContain(flag);
    expect(code).toBe(2);
  });

  it("hands in what it has when it is interrupted", async () => {
    const args = ["stress", "matmul", "--device", "cpu", "--size", "64", "--minutes", "10"];
    const running = await startCli(args);
    await running.untilStdout((text) => text.includes("... matmul"));
    running.child.kill("SIGINT");
    const { code, stdout } = await running.result;
    expect(code).toBe(130);
    expect(stdout).toContain("interrupted before its time was up");
    expect(stdout).toMatch(/measured rate: .*GFLOP\/s on average/);
  });
});

describe("tessera stress io", () => {
  const args = (dir: string, minutes: string) => {
    return ["stress", "io", "--dir", dir, "--size", "32MiB", "--minutes", minutes];
  };

  it("writes, reads back and leaves the folder as it was", async () => {
    const dir = await tempDir();
    const { code, stdout } = await runCli([...args(dir, "0.005"), "--json"]);
    expect(code).toBe(0);
    expect(itemsOf(stdout).find(({ name }) => name === "results")?.status).toBe("pass");
    expect(await readdir(dir)).toEqual([]);
  });

  it("names the page of a file that was written wrong", async () => {
    const dir = await tempDir();
    const { code, stdout } = await runCli([...args(dir, "0.01"), "--corrupt", "0:99999", "--json"]);
    expect(code).toBe(1);
    const failed = itemsOf(stdout).filter(({ status }) => status === "fail");
    expect(failed[1]?.reason).toMatch(/page 3 of .*lane-0-1\.bin: byte 211 is/);
    expect(await readdir(dir)).toEqual([]);
  });

  it("sweeps what a killed run left, and nothing else", async () => {
    const dir = await tempDir();
    await mkdir(join(dir, ".tessera-stress-io-of-mine"));
    const killed = await startCli(args(dir, "10"));
    await waitUntil("a folder was made", async () => (await readdir(dir)).length === 2);
    killed.child.kill("SIGKILL");
    await killed.result;
    expect(await readdir(dir)).toHaveLength(2);
    expect((await runCli(args(dir, "0.005"))).code).toBe(0);
    expect(await readdir(dir)).toEqual([".tessera-stress-io-of-mine"]);
  });

  it("does not fill a disk", async () => {
    const dir = await tempDir();
    const { code, stderr } = await runCli(["stress", "io", "--dir", dir, "--size", "1PiB"]);
    expect(stderr).toContain("--size is 1 PiB, and");
    expect(code).toBe(2);
    expect(await readdir(dir)).toEqual([]);
  });

  it("cannot start where there is no folder", async () => {
    const { code, stderr } = await runCli(args(join(await tempDir(), "missing"), "1"));
    expect(stderr).toContain("E_FILE_WRITE");
    expect(code).toBe(3);
  });
});

const fake = await buildFakeCuda();

describe.skipIf("reason" in fake)(`tessera stress on a fake GPU${reasonOf(fake)}`, () => {
  const env = "reason" in fake ? {} : fake.env;
  const args = ["stress", "matmul", "--size", "64", "--minutes", "0.01", "--json"];

  it("takes the GPU when there is one, and says how it was", async () => {
    const { code, stdout, stderr } = await runCli(args, { env });
    expect(stderr).toBe("");
    expect(reportOf(stdout).subject).toBe("cuda:0 (Fake H200)");
    const names = itemsOf(stdout).map(({ name }) => name);
    expect(names).toEqual(["work", "results", "rate", "hardware errors", "clocks and heat"]);
    expect(reportOf(stdout).plots.map(({ title }) => title)).toContain("Temperature over time");
    expect(code).toBe(0);
  });

  it("finds what the hardware gets wrong", async () => {
    const broken = { ...env, FAKE_CUDA_FLIP: "0:gemm:60:1000" };
    const { code, stdout } = await runCli(args, { env: broken });
    expect(code).toBe(1);
    const failed = itemsOf(stdout).filter(({ status }) => status === "fail");
    expect(failed[0]?.reason).toMatch(/^1 wrong result in /);
  });

  it("fails when the GPU fails, with what was measured before", async () => {
    const failing = { ...env, FAKE_CUDA_FAIL: "cublasLtMatmul:200+:13" };
    const { code, stdout } = await runCli(["stress", "matmul", "--size", "64", "--json"], {
      env: failing,
    });
    expect(code).toBe(1);
    const work = itemsOf(stdout).find(({ name }) => name === "work");
    expect(work?.status).toBe("fail");
    expect(work?.reason).toContain("CUBLAS_STATUS_EXECUTION_FAILED");
    const results = itemsOf(stdout).find(({ name }) => name === "results");
    expect(results?.status).toBe("unknown");
  });

  it.each([
    ["cuda:7", "E_CUDA_UNAVAILABLE", 3],
    ["cuda:0 --dtype i7", "E_USAGE", 2],
  ])("refuses --device %s", async (device, error, exitCode) => {
    const { code, stderr } = await runCli([...args, "--device", ...device.split(" ")], { env });
    expect(stderr).toContain(error);
    expect(code).toBe(exitCode);
  });
});
