import { existsSync } from "node:fs";
import { afterAll, beforeAll, expect, it } from "vitest";
import { createRealClock } from "../../src/platform/time/real-clock.ts";
import { ClusterError } from "./errors.ts";
import { type Cluster, openCluster, startCluster } from "./fixture.ts";
import { cgroupsNamed } from "./machine/cgroups.ts";
import { withLock } from "./machine/lock.ts";
import { childrenOf, isRunning, killProcess } from "./machine/processes.ts";
import { waitFor } from "./machine/wait.ts";
import { cgroupOf } from "./registry/names.ts";
import { pathsOf } from "./registry/paths.ts";
import { type ClusterRecord, readRecord } from "./registry/record.ts";
import { describeCluster } from "./shared.ts";
import { temporaryBundle } from "./support/bundle.ts";
import { untilHealthy } from "./support/health.ts";
import { startRunner } from "./support/runner.ts";
import { clusterTool } from "./support/tool.ts";
import {
  machineState,
  pidNamespace,
  processesIn,
  type Suspect,
  suspectOf,
} from "./support/traces.ts";

const clock = createRealClock();

function recordOf(cluster: { readonly dataDir: string }): Required<ClusterRecord> {
  return readRecord(pathsOf(cluster.dataDir)) as Required<ClusterRecord>;
}

async function waitUntilGone(suspect: Required<Suspect>, namespace: string): Promise<void> {
  const what = `everything of ${suspect.name} to be gone`;
  await waitFor({ clock, what, timeoutMs: 120_000 }, async () => {
    const state = await machineState(suspect);
    return processesIn(namespace).length === 0 && !state.interfaces.includes(suspect.interfaceName);
  });
}

/** Nobody else starts a cluster, and sweeps, while `work` is done. */
function alone<T>(work: () => Promise<T>): Promise<T> {
  return withLock("clusters", { clock, onWait: () => {} }, work);
}

describeCluster(
  "two clusters side by side",
  () => {
    const bundle = temporaryBundle();
    const crashing = `crash-${process.pid}`;
    let steady: Cluster;
    let doomed: Cluster;
    beforeAll(async () => {
      [steady, doomed] = await Promise.all([
        startCluster({ name: `steady-${process.pid}` }),
        startCluster({ name: crashing, nodes: 1, bundle: bundle.file }),
      ]);
    });
    afterAll(async () => {
      await Promise.all([steady?.stop(), doomed?.stop()]);
      bundle.remove();
    });

    it("have addresses, certificates and objects of their own", async () => {
      expect(steady.serverUrl).not.toBe(doomed.serverUrl);
      await steady.kubectl(["create", "namespace", "only-here"]);
      const names = await doomed.kubectl(["get", "namespaces", "-o", "name"]);
      expect(names).not.toContain("only-here");
      const foreign = steady.kubectl(["get", "nodes", `--server=${doomed.serverUrl}`]);
      await expect(foreign).rejects.toThrow(/certificate/);
    });

    it("refuse a third of the same name", async () => {
      const third = startCluster({ name: steady.name });
      await expect(third).rejects.toThrow(ClusterError);
      await expect(third).rejects.toThrow(/already there/);
      await untilHealthy(steady);
    });

    it("leave folders when supervisor and keeper are killed, which the next start sweeps", async () => {
      const record = recordOf(doomed);
      const suspect = suspectOf(record);
      const namespace = pidNamespace(record.init.pid);
      expect(processesIn(namespace).length).toBeGreaterThan(5);
      const [supervisor] = childrenOf(record.init.pid);
      expect(supervisor).toBeDefined();
      await alone(async () => {
        killProcess(record.keeper);
        if (supervisor !== undefined) killProcess(supervisor);
        await waitUntilGone(suspect, namespace);
        expect(existsSync(doomed.dataDir)).toBe(true);
        expect(cgroupsNamed(cgroupOf(crashing))).toEqual([cgroupOf(crashing)]);
        expect(() => openCluster(crashing)).toThrow(/no cluster named/);
      });

      // Another suite that starts a cluster just now may have come first.
      await using next = await startCluster();
      expect(existsSync(doomed.dataDir)).toBe(false);
      expect(cgroupsNamed(cgroupOf(crashing))).toEqual([]);
      await untilHealthy(next);
      await untilHealthy(steady);
    });
  },
  { nodes: 1 },
);

describeCluster("a start that fails", () => {
  it("says what went wrong, with the last words of the culprit, and leaves nothing", async () => {
    const name = `failing-${process.pid}`;
    const before = await machineState({ name });
    const extraArgs = { scheduler: ["--no-such-flag"] };
    const start = startCluster({ name, extraArgs });
    await expect(start).rejects.toThrow(/scheduler ended: .*last words: .*--no-such-flag/);
    expect(await machineState({ name })).toEqual(before);
  });
});

describeCluster("a cluster that `up` left running", () => {
  it("goes with the process that adopts it", async () => {
    const name = `adopted-${process.pid}`;
    const up = await clusterTool(["up", "--name", name]);
    expect(up, up.stderr).toMatchObject({ exitCode: 0 });
    const record = recordOf(openCluster(name));
    const runner = await startRunner("adopt", name);
    expect(isRunning(record.init)).toBe(true);
    runner.kill();
    await waitFor({ clock, what: "the keeper to sweep", timeoutMs: 120_000 }, async () => {
      return !isRunning(record.init) && !isRunning(record.keeper);
    });
    expect(() => openCluster(name)).toThrow(/no cluster named/);
  });
});

describeCluster("a cluster whose test runner is killed", () => {
  it("goes with it and leaves nothing, without any help", async () => {
    const name = `held-${process.pid}`;
    const before = await machineState({ name });
    const runner = await startRunner("start", name);
    const record = recordOf({ dataDir: runner.clusterFolder });
    const suspect = suspectOf(record);
    const namespace = pidNamespace(record.init.pid);
    expect(processesIn(namespace).length).toBeGreaterThan(4);

    runner.kill();
    await waitUntilGone(suspect, namespace);
    await waitFor({ clock, what: "the keeper to sweep", timeoutMs: 120_000 }, async () => {
      return !isRunning(record.keeper);
    });
    expect(await machineState(suspect)).toEqual(before);
  });
});
