import { readdirSync, readFileSync } from "node:fs";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { VirtualClock } from "../../../../src/platform/time/index.ts";
import { getFreeNodeList } from "../../../../src/validation/clusters/free-nodes.ts";
import { isRunning } from "../../../support/is-running.ts";
import { tempDir } from "../../../support/temp-dir.ts";
import { waitUntil } from "../../../support/wait-until.ts";
import { localCluster, node, pathsOf, requestOf, untilPhase } from "./support.ts";

const waits = 'process.stdout.write("up\\n"); setInterval(() => {}, 1000);';

/** Writes its process id where the test finds it, and waits; `onTerm` is what it does when told to end. */
function waitingJob(pidFile: string, onTerm = "process.exit(0)"): string {
  return `import { writeFileSync } from "node:fs";
process.on("SIGTERM", () => { ${onTerm} });
writeFileSync(${JSON.stringify(pidFile)}, String(process.pid));
${waits}`;
}

/** How many processes have a script on their command line. */
function processesOf(script: string): number {
  const isOne = (pid: string) => {
    try {
      return readFileSync(`/proc/${pid}/cmdline`, "utf8").includes(script);
    } catch {
      return false;
    }
  };
  return readdirSync("/proc").filter((name) => /^\d+$/.test(name) && isOne(name)).length;
}

async function pidIn(file: string): Promise<number> {
  await waitUntil("the job has said who it is", async () => {
    return Number(await readFile(file, "utf8").catch(() => "")) > 0;
  });
  return Number(await readFile(file, "utf8"));
}

describe("the node", () => {
  test("is this machine, and free once it has been looked at", async () => {
    const { cluster } = await localCluster("");
    expect(cluster.view().trust.state).toBe("starting");
    expect(getFreeNodeList(cluster.view())).toEqual([]);
    cluster.start();
    await waitUntil("the view is current", () => cluster.view().trust.state === "current");
    expect(cluster.view().nodes).toEqual([
      {
        name: node,
        sku: "host",
        rack: "",
        gpus: 0,
        notFree: [],
        awaitsAcceptance: false,
        cordoned: false,
      },
    ]);
    expect(getFreeNodeList(cluster.view())).toEqual([node]);
    expect(cluster).toMatchObject({ kind: "local", provenance: "measured", controls: undefined });
    expect(cluster.checks.available).toContain("host-compute");
  });

  test.each([
    [
      "a process of somebody else on its GPUs",
      {
        findGpus: async () => ({
          models: ["NVIDIA H100 80GB HBM3", "NVIDIA H100 80GB HBM3"],
          processes: [{ pid: 17, name: "python3" }],
        }),
      },
      { sku: "h100-sxm5-80gb", gpus: 2 },
      ["busy", "process 17 (python3) computes on its GPUs"],
    ],
    [
      "a driver that does not answer",
      {
        findGpus: async () => Promise.reject(new Error("the driver hangs")),
      },
      { sku: "host", gpus: 0 },
      ["not-ready", "its GPUs cannot be asked: the driver hangs"],
    ],
    [
      "an absurd load",
      { load: () => 1e6, loadPerCpuMax: 2 },
      { sku: "host" },
      ["cpu", expect.stringMatching(/^its load is 1000000\.0/)],
    ],
  ])("is not free with %s, and says so", async (_, change, seen, [code, text]) => {
    const { cluster } = await localCluster("", change);
    cluster.start();
    await waitUntil("the view is current", () => cluster.view().trust.state === "current");
    expect(cluster.view().nodes[0]).toMatchObject({ ...seen, notFree: [{ code, text }] });
    expect(getFreeNodeList(cluster.view())).toEqual([]);
  });

  test("is looked at again and again, and those who listen are told", async () => {
    const clock = new VirtualClock();
    let load = 0;
    const { cluster } = await localCluster("", { clock, load: () => load, lookEveryMs: 1_000 });
    let told = 0;
    const unsubscribe = cluster.subscribe(() => told++);
    cluster.start();
    await waitUntil("it was told", () => told === 1);
    load = 1e9;
    await clock.advance(1_000);
    await waitUntil("it was told again", () => told === 2);
    expect(cluster.view().nodes[0]?.notFree[0]?.code).toBe("cpu");
    unsubscribe();
    await cluster.stop();
    await clock.advance(10_000);
    expect(told).toBe(2);
  });
});

describe("a job", () => {
  test("goes from pending to running to succeeded, and its output is kept", async () => {
    const { cluster, root } = await localCluster('console.log("hello"); console.error("there");');
    const request = requestOf();
    await cluster.submit(request);
    await untilPhase(cluster, "succeeded");
    expect(cluster.view().jobs).toMatchObject([
      { name: request.intent.jobName, runId: request.intent.id, node, phase: "succeeded" },
    ]);
    const output = await readFile(pathsOf(root, request).output, "utf8");
    expect(output).toMatch(/Z hello\n/);
    expect(output).toMatch(/Z there\n/);
  });

  test("is told everything it needs, and nothing that is not its business", async () => {
    const source = `const own = Object.entries(process.env).filter(([name]) => name.startsWith("TESSERA_"));
console.log(JSON.stringify([process.argv.slice(2), Object.fromEntries(own)]));`;
    process.env["TESSERA_TOKEN"] = "the administrator's";
    try {
      const { cluster, root } = await localCluster(source);
      const request = requestOf({ resultUrl: "http://127.0.0.1:9/x", checkOptions: { a: 1 } });
      await cluster.submit(request);
      await untilPhase(cluster, "succeeded");
      const [line = ""] = (await readFile(pathsOf(root, request).output, "utf8")).split("\n");
      const [args, env] = JSON.parse(line.slice(line.indexOf("["))) as [string[], object];
      expect(args).toEqual(["check", "run", "host-compute"]);
      expect(env).toMatchObject({
        TESSERA_RUN_ID: request.intent.id,
        TESSERA_RUN_TOKEN: request.token,
        TESSERA_RESULT_URL: "http://127.0.0.1:9/x",
        TESSERA_RESULT_DIR: root,
        TESSERA_NODE: node,
        TESSERA_CHECK: "host-compute",
        TESSERA_CLUSTER: "here",
        TESSERA_PLANNED_AT: String(Math.floor(request.intent.plannedAtMs / 1000)),
        TESSERA_RUN_TIMEOUT_MS: "60000",
        TESSERA_CHECK_OPTIONS: '{"a":1}',
      });
      expect(env).not.toHaveProperty("TESSERA_TOKEN");
    } finally {
      delete process.env["TESSERA_TOKEN"];
    }
  });

  test("submitted twice runs once, and holds the node meanwhile", async () => {
    const pidFile = join(await tempDir(), "pid");
    const { cluster, script } = await localCluster(waitingJob(pidFile));
    cluster.start();
    await Promise.all([cluster.submit(requestOf()), cluster.submit(requestOf())]);
    await pidIn(pidFile);
    await cluster.submit(requestOf());
    expect(processesOf(script)).toBe(1);
    expect(cluster.view().jobs).toHaveLength(1);
    expect(cluster.view().jobs[0]?.phase).toBe("running");
    expect(cluster.view().nodes[0]?.notFree).toMatchObject([{ code: "under-test" }]);
  });

  test.each([
    ["process.exit(3)", "exit code 3"],
    ['process.kill(process.pid, "SIGKILL"); setInterval(() => {}, 1000);', "ended by SIGKILL"],
  ])("that ends by %s has failed and says how", async (source, detail) => {
    const { cluster } = await localCluster(source);
    await cluster.submit(requestOf());
    await untilPhase(cluster, "failed");
    expect(cluster.view().jobs[0]?.detail).toBe(detail);
  });

  test("that is cancelled is asked to end, and then it is gone", async () => {
    const folder = await tempDir();
    const [pidFile, said] = [join(folder, "pid"), join(folder, "said")];
    const onTerm = `writeFileSync(${JSON.stringify(said)}, "asked"); process.exit(0)`;
    const { cluster } = await localCluster(waitingJob(pidFile, onTerm));
    const { intent } = requestOf();
    await cluster.submit(requestOf());
    const pid = await pidIn(pidFile);
    const cancelling = cluster.cancel(intent.jobName);
    expect(cluster.view().jobs[0]?.phase).toBe("gone");
    await cancelling;
    expect(cluster.view().jobs).toEqual([]);
    expect(isRunning(pid)).toBe(false);
    expect(await readFile(said, "utf8")).toBe("asked");
    await cluster.cancel(intent.jobName);
  });

  test("that does not want to end is killed after the grace", async () => {
    const pidFile = join(await tempDir(), "pid");
    const { cluster } = await localCluster(waitingJob(pidFile, ""), { graceMs: 200 });
    await cluster.submit(requestOf());
    const pid = await pidIn(pidFile);
    await cluster.cancel(requestOf().intent.jobName);
    expect(isRunning(pid)).toBe(false);
  });

  test("that is cancelled while it starts does not run on", async () => {
    const pidFile = join(await tempDir(), "pid");
    const { cluster } = await localCluster(waitingJob(pidFile));
    const submitting = cluster.submit(requestOf());
    await Promise.all([submitting, cluster.cancel(requestOf().intent.jobName)]);
    expect(cluster.view().jobs).toEqual([]);
    const pid = Number(await readFile(pidFile, "utf8").catch(() => "0"));
    expect(pid > 0 && isRunning(pid)).toBe(false);
  });

  test.each([
    ["a node that is not here", { node: "elsewhere" }, /no node elsewhere/],
    ["a check that cannot run here", { check: "greedy" }, /it needs 64 GPUs/],
    ["a check nobody knows", { check: "nonsense" }, /not known/],
  ])("on %s is refused for good", async (_, change, problem) => {
    const manifest = join(await tempDir(), "greedy.yaml");
    const needs = "title: Greedy, command: [sh], needs: { gpus: 64 }, figures: {}";
    await writeFile(manifest, `{ name: greedy, ${needs} }`);
    const { cluster } = await localCluster(waits, { ownChecks: { greedy: { plugin: manifest } } });
    const request = requestOf();
    const submitting = cluster.submit({ ...request, intent: { ...request.intent, ...change } });
    await expect(submitting).rejects.toMatchObject({ code: "E_JOB_REFUSED" });
    await expect(submitting).rejects.toThrow(problem);
    expect(cluster.view().jobs).toEqual([]);
  });

  test("whose program is not there is refused for good", async () => {
    const { cluster } = await localCluster("", { command: ["/nowhere/tessera"] });
    await expect(cluster.submit(requestOf())).rejects.toMatchObject({ code: "E_JOB_REFUSED" });
    expect(cluster.view().jobs).toEqual([]);
  });

  test("of a user's own check may run, once its program is named", async () => {
    const ownChecks = { mine: { command: ["/bin/true"] } };
    const { cluster } = await localCluster("", { ownChecks });
    expect(cluster.checks.available).toEqual(expect.arrayContaining(["host-compute", "mine"]));
    const request = requestOf();
    await cluster.submit({ ...request, intent: { ...request.intent, check: "mine" } });
    await untilPhase(cluster, "succeeded");
  });

  test("that ended long ago is forgotten", async () => {
    const { cluster } = await localCluster("", { finishedMax: 1 });
    for (const id of ["a", "b"]) {
      await cluster.submit(requestOf({}, id));
      await waitUntil(
        "it has ended",
        () =>
          cluster.view().jobs.at(-1)?.runId === id &&
          cluster.view().jobs.at(-1)?.phase === "succeeded",
      );
    }
    expect(cluster.view().jobs.map(({ runId }) => runId)).toEqual(["b"]);
  });
});
