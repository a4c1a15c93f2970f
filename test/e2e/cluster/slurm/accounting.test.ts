import { chmodSync, chownSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it, onTestFinished, vi } from "vitest";
import { root } from "../../../../scripts/lib/repository.ts";
import { runChecked } from "../../../cluster/machine/run.ts";
import { describeSlurm, type Slurm, startSlurm, tessera } from "../../../cluster/slurm/fixture.ts";
import { lookAtNode } from "../../../cluster/slurm/look-at-node.ts";
import { waitUntil } from "../../../support/wait-until.ts";
import { createGround, probe, probeCheck, wrongAnswer } from "../validation/contract/probe.ts";
import { createSlurmSite } from "../validation/contract/slurm-site.ts";
import { seedHistory } from "../validation/support/past.ts";
import { writeConfig } from "../validation/support/validate-process.ts";
import { deafCheck } from "./support/deaf-check.ts";

const accounts = join(root, "deploy", "slurm", "accounts.sh");
vi.setConfig({ testTimeout: 600_000 });

const waitMs = 120_000;
const killWaitS = 5;
const turnS = 2;
const graceS = 3;
/** What the end of a job and the start of another may take longer beside other suites. */
const busyS = 30;
/** The controller looks so often whether a grace is over. */
const graceLookS = 30;

/** A step of the shipped script, as an administrator of Slurm takes it. */
function giveRights(slurm: Slurm, ...step: readonly string[]): Promise<string> {
  return runChecked(accounts, step, { env: slurm.env });
}

interface Loop {
  /** What it was started with. */
  readonly config: string;
  /** Ends it as a service manager does; the exit code. */
  stop(): Promise<number>;
}

/** The loop as a user who is not root, in a store and a folder of results of that user's own. */
async function startLoop(slurm: Slurm, name: string, check: object): Promise<Loop> {
  const site = await createSlurmSite(slurm);
  const results = join(site.shared, name);
  const dataDir = join(site.shared, `${name}-data`);
  const config = await writeConfig(dataDir, {
    validation: {
      policy: "stale",
      resultsDir: results,
      runTimeout: "10m",
      resultGrace: "3s",
      limits: { cooldown: "0s", retestAfter: "0s", perRack: 2 },
      act: { mode: "on", cordonedShareMax: 0.5 },
      checks: [check],
      clusters: [site.entry({ name, root: results, url: undefined })],
    },
    slurm: { conf: slurm.conf, partition: "tessera", account: "tessera", qos: "tessera" },
  });
  const peers = Array.from({ length: 10 }, (_, at) => ({ node: `gone-${at}`, daysAgo: 3 }));
  await seedHistory(
    dataDir,
    name,
    peers.map((run) => ({ ...run, check: probe, sku: site.sku })),
  );
  await runChecked("chown", ["-R", `${tessera.id}:${tessera.id}`, results, dataDir]);
  const pidFile = join(results, "loop.pid");
  const script = `echo $$ > '${pidFile}'; exec '${site.shared}/tessera' validate --config '${config}'`;
  const ended = slurm.runAs(tessera, "/bin/sh", ["-c", script], { timeoutMs: 580_000 });
  await waitUntil("it runs", () => existsSync(pidFile));
  const signal = (which: string) =>
    slurm.cluster.exec(["kill", `-${which}`, readFileSync(pidFile, "utf8").trim()]);
  onTestFinished(async () => void (await signal("KILL")));
  return {
    config,
    stop: async () => {
      await signal("INT");
      const { exitCode, stderr } = await ended;
      expect(stderr).not.toMatch(/E_SLURM_DENIED/);
      return exitCode;
    },
  };
}

/** The folder of results, where checks of all users write down that they were there. */
function makeResults(slurm: Slurm, name: string): string {
  const results = join(slurm.sharedDir, name);
  mkdirSync(results);
  writeFileSync(join(results, "ledger"), "");
  chmodSync(join(results, "ledger"), 0o666);
  chownSync(results, tessera.id, tessera.id);
  return results;
}

/** How long a user's job for a node waits for the test that is there. */
async function secondsFor(slurm: Slurm, node: string): Promise<number> {
  const user = await slurm.submitUserJob("exec sleep 1000", ["-w", node, "--exclusive"]);
  await slurm.waitForJob(user, /^RUNNING/);
  const job = await slurm.run("scontrol", ["-o", "show", "job", user]);
  await slurm.run("scancel", [user]);
  const at = (key: string) => Date.parse(new RegExp(`\\b${key}=(\\S+)`).exec(job)?.[1] ?? "");
  return (at("StartTime") - at("SubmitTime")) / 1000;
}

describeSlurm(
  "the loop as a user of its own, where there is accounting",
  () => {
    let slurm: Slurm;
    beforeAll(async () => {
      slurm = await startSlurm({ nodes: 2, accounting: true });
      // From here on it has what the shipped script gives it.
      await slurm.run("sacctmgr", ["-i", "delete", "user", tessera.name]);
      await giveRights(slurm, "qos");
    });
    afterAll(() => slurm?.stop());
    const drain = () =>
      slurm.runAs(tessera, "scontrol", ["update", "NodeName=g1", "State=DRAIN", "Reason=x"]);

    it("changes no node before it was made an administrator", async () => {
      expect((await drain()).exitCode).not.toBe(0);
      expect(await slurm.node("g1").state()).toBe("IDLE");
    });

    it("drains a failing node with its reason, gives way by its QOS, and releases the node after a pass", async () => {
      await giveRights(slurm, "admin");
      const results = makeResults(slurm, "accounted");
      const ground = createGround(results);
      await ground.spoil("g0");
      await ground.shut("g1");
      const loop = await startLoop(slurm, "accounted", probeCheck(results));
      // Asked from inside, where numbers of users have their names.
      const g0 = async () =>
        (await slurm.runAs(tessera, "scontrol", ["-o", "show", "node", "g0"])).stdout;
      await waitUntil("it is drained", async () => /Reason=tessera/.test(await g0()), {
        timeoutMs: waitMs,
      });
      expect(await g0()).toMatch(
        new RegExp(`Reason=tessera/accounted: .*${wrongAnswer.replace("+", "\\+")}.* \\[tessera@`),
      );

      const isWaiting = async (node: string) =>
        [...(await ground.ledger()).waiting.values()].includes(node);
      await waitUntil("a test runs on g1", () => isWaiting("g1"), { timeoutMs: waitMs });
      const [ours = ""] = (await slurm.run("squeue", ["-h", "-w", "g1", "-o", "%A %q %a"])).split(
        "\n",
      );
      const [id = "", ...level] = ours.split(" ");
      expect(level).toEqual(["tessera", "tessera"]);
      const user = await slurm.submitUserJob("exec sleep 1000", ["-w", "g1", "--exclusive"]);
      await slurm.waitForJob(user, /^RUNNING/);
      expect(await slurm.jobState(id)).toBe("PREEMPTED");
      await slurm.run("scancel", [user]);
      await ground.unshut("g1");

      await ground.mend("g0");
      // Not in the middle of a test, when a reservation takes the place of the drain.
      const look = () =>
        lookAtNode(async (tool, args) => (await slurm.runAs(tessera, tool, args)).stdout, "g0");
      const isOpen = async () => /State=(IDLE|MIXED|ALLOCATED) /.test(await g0());
      await waitUntil("it is released", async () => !(await look()).closed && (await isOpen()), {
        timeoutMs: waitMs,
      });
      expect(await g0()).not.toContain("Reason=");
      expect(await loop.stop()).toBe(0);
      expect(await slurm.run("scontrol", ["show", "reservations"])).toContain("No reservations");
    });

    it("keeps a user waiting no longer than the guide says when a test does not end by itself", async () => {
      const results = makeResults(slurm, "deaf");
      const loop = await startLoop(slurm, "deaf", deafCheck(results));
      const isDeaf = (node: string) => existsSync(join(results, `deaf-${node}`));
      await waitUntil("both tests are deaf", () => isDeaf("g0") && isDeaf("g1"), {
        timeoutMs: waitMs,
      });
      const atOnceS = await secondsFor(slurm, "g0");
      const set = ["-i", "modify", "qos", "tessera", "set", `GraceTime=${graceS}`];
      await slurm.run("sacctmgr", set);
      const withGraceS = await secondsFor(slurm, "g1");
      process.stdout.write(`a user waited ${atOnceS} s, with a GraceTime ${withGraceS} s\n`);
      // They took their time, else this would show nothing. Slurm tells whole seconds.
      expect(atOnceS).toBeGreaterThanOrEqual(killWaitS - 1);
      expect(atOnceS).toBeLessThanOrEqual(killWaitS + turnS + 1 + busyS);
      expect(withGraceS).toBeGreaterThanOrEqual(graceS + killWaitS - 1);
      expect(withGraceS).toBeLessThanOrEqual(graceS + graceLookS + killWaitS + turnS + 1 + busyS);

      const args = ["doctor", "--json", "--config", loop.config];
      const { stdout } = await slurm.runAs(tessera, join(slurm.sharedDir, "tessera"), args);
      expect(stdout).toContain("those of QOS scavenger wait");
      expect(stdout).toMatch(/"graceTime": "3 s"/);
      expect(stdout).toMatch(/"longestDelay": "40 s"/);
      expect(await loop.stop()).toBe(0);
    });
  },
  { accounting: true },
);
