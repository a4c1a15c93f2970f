import { chmod, mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { createRealClock } from "../../src/platform/time/index.ts";
import { createLocalCluster } from "../../src/validation/clusters/local/index.ts";
import {
  collectFiles,
  decodeResult,
  runPaths,
  runToken,
} from "../../src/validation/collect/index.ts";
import type { RunIntent } from "../../src/validation/run.ts";
import { distDir, runCli, startCli } from "../support/built-cli.ts";
import { isRunning } from "../support/is-running.ts";
import { tempDir } from "../support/temp-dir.ts";
import { waitUntil } from "../support/wait-until.ts";
import { intentOf, silent } from "../validation/collect/support.ts";
import { runHere } from "./in-process.ts";

const clock = createRealClock();
const secret = "the installation's secret";
/** As short as the check can be. */
const shortest = '{"durationMs":1}';

/** What the loop tells the job of a run. */
function jobEnv(intent: RunIntent, change: Readonly<Record<string, string>> = {}) {
  return {
    TESSERA_RUN_ID: intent.id,
    TESSERA_RUN_TOKEN: runToken(secret, intent.id),
    TESSERA_NODE: intent.node,
    TESSERA_CHECK: intent.check,
    TESSERA_CLUSTER: intent.cluster,
    TESSERA_PLANNED_AT: String(Math.floor(intent.plannedAtMs / 1000)),
    TESSERA_RUN_TIMEOUT_MS: "60000",
    TESSERA_CHECK_OPTIONS: shortest,
    ...change,
  };
}

/** A program of a user, in shell, as options of a check. */
async function ownProgram(...lines: readonly string[]): Promise<string> {
  const path = join(await tempDir(), "my-check");
  await writeFile(path, `#!/bin/sh\n${lines.join("\n")}\n`);
  await chmod(path, 0o755);
  return JSON.stringify({ command: [path] });
}

async function collected(root: string, intent: RunIntent) {
  return collectFiles({ root, runs: [intent], secret, clock });
}

/** A server that answers 503 a few times and then takes what comes. */
async function serverFailing(times: number) {
  const bodies: string[] = [];
  let calls = 0;
  const server = createServer((request, response) => {
    let body = "";
    request.setEncoding("utf8").on("data", (text: string) => {
      body += text;
    });
    request.on("end", () => {
      calls++;
      if (calls > times) bodies.push(body);
      response.writeHead(calls > times ? 201 : 503).end("{}");
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => server.close().closeAllConnections());
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/r`, bodies };
}

describe("tessera check run by hand", () => {
  test("prints what it measured, with provenance, and ends with 0", async () => {
    const args = ["check", "run", "host-compute", "--options", shortest, "--json"];
    const { code, stdout } = await runCli(args);
    const report: unknown = JSON.parse(stdout);
    expect([code, report]).toMatchObject([0, { counts: { pass: 1, fail: 0, unknown: 0 } }]);
    expect(stdout).toContain('"title": "Check host-compute (standard)"');
    expect(stdout).toContain('"provenance": "measured"');
    for (const name of ["gflops", "memory_gbps"]) expect(stdout).toContain(`"name": "${name}"`);
  });

  test("a hard fact ends with 1", async () => {
    const options = await ownProgram(`echo '{"figures":{},"hardFacts":["a link is down"]}'`);
    const { code, stdout } = await runCli(["check", "run", "mine", "--options", options]);
    expect(code).toBe(1);
    expect(stdout).toContain("a link is down");
  });

  test("a check that breaks off ends with 3, and --verbose shows its log", async () => {
    const options = await ownProgram("echo looking around", "exit 4");
    const args = ["check", "run", "mine", "--options", options, "--verbose"];
    const { code, stderr } = await runCli(args);
    expect(code).toBe(3);
    expect(stderr).toContain("E_CHECK_FAILED");
    expect(stderr).toContain("looking around");
  });

  test("one that takes too long ends with 3", async () => {
    const options = await ownProgram("exec sleep 1000");
    const args = ["check", "run", "mine", "--options", options, "--timeout", "500ms"];
    const { code, stderr } = await runCli(args);
    expect([code, stderr]).toEqual([3, expect.stringContaining("E_TIMEOUT")]);
  });

  test.each([
    [[], /Name the check/],
    [["host-compute", "--timeout", "soon"], /not a duration/],
    [["host-compute", "--options", "[1]"], /one JSON object/],
    [["host-compute", "--result-dir", "/tmp"], /nothing to hand in/],
    [["host-compute", "--profile", "slow"], /Allowed are prolog, quick, standard, soak/],
  ])("%j is wrong usage", async (args, problem) => {
    const { code, stderr } = await runHere(["check", "run", ...args]);
    expect(code).toBe(2);
    expect(stderr).toMatch(problem);
  });
});

describe("tessera check list", () => {
  test("names every check and why it cannot run here", async () => {
    const { code, stdout } = await runHere(["check", "list"]);
    expect(code).toBe(0);
    expect(stdout).toMatch(/^host-compute +Computing/m);
    expect(stdout).toMatch(/^storage-io .*\n +not here: it needs fio, and there is none/m);
  });
});

describe("tessera check run as the job of a run", () => {
  test("hands in by both ways, writes its log, and ends with 0", async () => {
    const intent = intentOf({ check: "mine" });
    const root = await tempDir();
    const { url, bodies } = await serverFailing(2);
    const env = jobEnv(intent, {
      TESSERA_RESULT_URL: url,
      TESSERA_RESULT_DIR: root,
      TESSERA_CHECK_OPTIONS: await ownProgram(`echo '{"figures":{}}'`),
    });
    const { code, stderr } = await runCli(["check", "run"], { env });
    expect([code, stderr]).toEqual([0, expect.stringMatching(/by POST recorded.*file written/)]);
    const { results } = await collected(root, intent);
    expect(results[0]?.result).toMatchObject({ outcome: "completed", hardFacts: [] });
    const posted = decodeResult(Buffer.from(bodies[0] ?? ""), env.TESSERA_RUN_TOKEN);
    expect(posted).toMatchObject({ accepted: true, digest: results[0]?.digest });
    const log = await readFile(runPaths(root, intent).log, "utf8");
    expect(log).toContain(`run ${intent.id}: check mine on ${intent.node}`);
    expect(log).toMatch(/completed\n/);
    expect(log + stderr).not.toContain(env.TESSERA_RUN_TOKEN);
  });

  test.each([
    ["a check nobody knows", { TESSERA_CHECK: "nonsense" }, /no check nonsense/],
    ["options that are wrong", { TESSERA_CHECK_OPTIONS: '{"x":1}' }, /options of check/],
    ["a check that cannot run here", { TESSERA_CHECK: "storage-io" }, /it needs fio/],
  ])("with %s hands in an error", async (_, change, error) => {
    const env: Record<string, string> = jobEnv(intentOf(), change);
    const intent = intentOf({ check: env["TESSERA_CHECK"] ?? "" });
    const root = await tempDir();
    const { code } = await runHere(["check", "run", "--result-dir", root], { env });
    expect(code).toBe(0);
    const { results } = await collected(root, intent);
    expect(results[0]?.result).toMatchObject({ outcome: "error", figures: {} });
    expect(results[0]?.result.error).toMatch(error);
  });

  test("that is told to end hands in that it was cancelled", async () => {
    const intent = intentOf({ check: "mine" });
    const root = await tempDir();
    const options = await ownProgram("echo begun >&2", "exec sleep 1000");
    const change = { TESSERA_RESULT_DIR: root, TESSERA_CHECK_OPTIONS: options };
    const { child, result } = await startCli(["check", "run"], { env: jobEnv(intent, change) });
    const { log } = runPaths(root, intent);
    await waitUntil("the check has begun", async () =>
      (await readFile(log, "utf8").catch(() => "")).includes("begun"),
    );
    child.kill("SIGTERM");
    expect((await result).code).toBe(0);
    const { results } = await collected(root, intent);
    expect(results[0]?.result).toMatchObject({ outcome: "cancelled", figures: {} });
  });

  test("that runs out of time hands in a timeout", async () => {
    const intent = intentOf({ check: "mine" });
    const root = await tempDir();
    const options = await ownProgram("exec sleep 1000");
    const env = jobEnv(intent, {
      TESSERA_RESULT_DIR: root,
      TESSERA_CHECK_OPTIONS: options,
      TESSERA_RUN_TIMEOUT_MS: "1000",
    });
    expect((await runCli(["check", "run"], { env })).code).toBe(0);
    const { results } = await collected(root, intent);
    expect(results[0]?.result.outcome).toBe("timeout");
  });

  test("whose result nobody takes ends with 3", async () => {
    const root = join(await tempDir(), "file");
    await writeFile(root, "");
    const env = jobEnv(intentOf(), { TESSERA_RESULT_DIR: root, TESSERA_CHECK: "nonsense" });
    const { code, stderr } = await runHere(["check", "run"], { env });
    expect([code, stderr]).toEqual([3, expect.stringContaining("E_HAND_IN_FAILED")]);
    expect(stderr).toContain("the log is not whole");
  });

  test.each([
    ["no token", { TESSERA_RUN_TOKEN: "" }, /TESSERA_RUN_TOKEN is not set/],
    ["a time that is none", { TESSERA_PLANNED_AT: "noon" }, /TESSERA_PLANNED_AT is not valid/],
    ["nowhere to hand in", {}, /neither TESSERA_RESULT_URL nor TESSERA_RESULT_DIR/],
    ["options that are no JSON", { TESSERA_CHECK_OPTIONS: "{", TESSERA_RESULT_DIR: "/x" }, /JSON/],
    ["a strange address", { TESSERA_RESULT_URL: "ftp://x/" }, /TESSERA_RESULT_URL is not valid/],
  ])("with %s says so and runs nothing", async (_, change, problem) => {
    const env = jobEnv(intentOf(), change);
    const { code, stderr } = await runHere(["check", "run"], { env });
    expect(code).toBe(2);
    expect(stderr).toMatch(problem);
    expect(stderr).toContain("E_RUN_ENVIRONMENT");
  });
});

describe("tessera agent run-check", () => {
  test("is the job of a run, as the image starts it", async () => {
    const intent = intentOf({ check: "mine" });
    const root = await tempDir();
    const env = jobEnv(intent, {
      TESSERA_RESULT_DIR: root,
      TESSERA_CHECK_OPTIONS: await ownProgram(`echo '{"figures":{}}'`),
    });
    // The image has the one file and nothing beside it.
    const script = join(distDir, "bundle", "tessera.mjs");
    const { code, stderr } = await runCli(["agent", "run-check"], { env, script });
    expect([code, stderr]).toEqual([0, expect.stringMatching(/as a file written/)]);
    const { results } = await collected(root, intent);
    expect(results[0]?.result).toMatchObject({ outcome: "completed" });
  });

  test("does nothing without a run, and takes nothing from the command line", async () => {
    const { code, stderr } = await runHere(["agent", "run-check"]);
    expect(code).toBe(2);
    expect(stderr).toMatch(/E_RUN_ENVIRONMENT.*TESSERA_RUN_ID is not set/);
    expect((await runHere(["agent", "run-check", "host-compute"])).code).toBe(2);
  });
});

describe("a job on the local cluster", () => {
  async function localCluster(root: string, ownChecks = {}) {
    await mkdir(root, { recursive: true });
    const command = [process.execPath, join(distDir, "cli", "main.js")] as const;
    const about = { name: "lab", clock, log: silent, resultDir: root, command, ownChecks };
    const cluster = createLocalCluster({ ...about, nodeName: "node-7" });
    onTestFinished(async () => {
      for (const { name } of cluster.view().jobs) await cluster.cancel(name);
      await cluster.stop();
    });
    return cluster;
  }
  const requestOf = (intent: RunIntent, checkOptions: Readonly<Record<string, unknown>>) => ({
    intent,
    token: runToken(secret, intent.id),
    runTimeoutMs: 60_000,
    checkOptions,
  });

  test("really computes, and its result is found", async () => {
    const intent = intentOf();
    const root = await tempDir();
    const cluster = await localCluster(root);
    await cluster.submit(requestOf(intent, { durationMs: 1 }));
    await waitUntil("it has ended", () => cluster.view().jobs[0]?.phase === "succeeded");
    const { results } = await collected(root, intent);
    expect(results[0]?.result).toMatchObject({ outcome: "completed", hardFacts: [] });
  });

  test("that is killed in the middle has failed, and leaves no result", async () => {
    const intent = intentOf({ check: "mine" });
    const root = await tempDir();
    const pidFile = join(root, "pid");
    const ownChecks = {
      mine: JSON.parse(
        await ownProgram(`echo $PPID > ${pidFile}`, "echo begun >&2", "exec sleep 1000"),
      ) as Record<string, unknown>,
    };
    const cluster = await localCluster(root, ownChecks);
    await cluster.submit(requestOf(intent, ownChecks.mine));
    const paths = runPaths(root, intent);
    await waitUntil("the check has begun", async () =>
      (await readFile(paths.log, "utf8").catch(() => "")).includes("begun"),
    );
    const pid = Number(await readFile(pidFile, "utf8"));
    process.kill(pid, "SIGKILL");
    await waitUntil("it has failed", () => cluster.view().jobs[0]?.phase === "failed");
    expect(cluster.view().jobs[0]?.detail).toBe("ended by SIGKILL");
    expect(isRunning(pid)).toBe(false);
    const names = await readdir(paths.folder);
    expect(names.filter((name) => name.endsWith(".result.json"))).toEqual([]);
    expect(await collected(root, intent)).toEqual({ results: [], refusals: [], unread: [] });
    // What it had said by then is kept.
    expect(await readFile(paths.log, "utf8")).toContain("begun");
  });
});
