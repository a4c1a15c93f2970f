import { mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { type Cluster, startCluster } from "../../../cluster/fixture.ts";
import { describeCluster } from "../../../cluster/shared.ts";
import { distDir } from "../../../support/built-cli.ts";
import { tempDir } from "../../../support/temp-dir.ts";
import { waitUntil } from "../../../support/wait-until.ts";
import { expectConfined } from "./support/confined.ts";
import { gated, hostCompute, inside } from "./support/own-checks.ts";
import { killProcessOf, podOf, untilPodsEnded } from "./support/pods.ts";
import { createSite, type Site } from "./support/real-site.ts";
import { storedRuns } from "./support/records.ts";
import { type EventOf, startValidate, type ValidateProcess } from "./support/validate-process.ts";

// Pods begin and end in the time that a busy machine has for them.
vi.setConfig({ testTimeout: 600_000 });
const shape = { nodes: 2, volcano: true };
const nodes = ["node-1", "node-2"] as const;
type NodeName = (typeof nodes)[number];

describeCluster(
  "the loop on real nodes",
  () => {
    let cluster: Cluster;
    let site: Site;
    beforeAll(async () => {
      cluster = await startCluster({ ...shape, bundle: join(distDir, "bundle", "tessera.mjs") });
      site = await createSite(cluster);
      await mkdir(join(site.root, "gates"));
    });
    afterAll(() => cluster?.stop());

    it.each([
      ["job", "default-scheduler"],
      ["volcano", "volcano"],
    ])(
      "computes in pods of a %s that can do nothing but measure",
      async (scheduler, schedulerName) => {
        const folder = await tempDir();
        const checks = [hostCompute, inside];
        const config = await site.configure(folder, [
          site.entry(`with-${scheduler}`, { ...site.bothWays, scheduler, checks }),
        ]);
        const done = await site.once(config);
        // Nobody knows what `inside` is worth on such a node.
        expect(done, done.stderr + done.stdout).toMatchObject({ code: 3 });
        const runs = await storedRuns(folder, `with-${scheduler}`);
        expect(runs).toHaveLength(2 * checks.length);
        for (const run of runs) {
          const { intent, result, verdict } = run;
          expect(result).toMatchObject({ outcome: "completed", origin: "pod", hardFacts: [] });
          const { spec } = await podOf(cluster, intent.id);
          expect(spec).toMatchObject({ nodeName: intent.node, schedulerName });
          if (intent.check === "inside") {
            await expectConfined(cluster, run);
            continue;
          }
          expect(result?.figures["gflops"]?.samples.length).toBeGreaterThan(0);
          expect(verdict?.verdict).toBe("pass");
        }
        const report = await site.reported(config);
        expect(report).toMatchObject({ code: 3, verdict: "unknown" });
        for (const name of nodes) expect(report.node(name)).toMatchObject({ status: "unknown" });
      },
    );

    describe("when what carries a run dies", () => {
      let folder: string;
      let loop: ValidateProcess;
      beforeAll(async () => {
        folder = join(cluster.dataDir, "outages");
        const config = await site.configure(
          folder,
          [site.entry("rough", { ...site.bothWays, checks: [gated] })],
          // A pod that is told to end needs so long for its last words, when the machine is busy.
          { policy: "random", resultGrace: "8s" },
        );
        loop = await startValidate(config);
      });
      afterAll(() => loop?.kill());

      const gate = (node: NodeName) => join(site.root, "gates", node);
      const open = (node: NodeName) => writeFile(gate(node), "");
      const close = (node: NodeName) => rm(gate(node), { force: true });
      const ended = (runId: string) => loop.told("ended").find(({ run }) => run.runId === runId);
      const outcomeOf = async (runId: string): Promise<EventOf<"ended">> => {
        await loop.until(`run ${runId} ends`, () => ended(runId) !== undefined);
        return ended(runId) as EventOf<"ended">;
      };
      const record = async (runId: string) =>
        (await storedRuns(folder, "rough")).find(({ intent }) => intent.id === runId);

      /** The run that waits at the gate of a node; it is in the middle of its work. */
      async function atGate(node: NodeName): Promise<string> {
        let found = "";
        const waits = async () => {
          const last = loop.told("running").findLast(({ run }) => run.node === node)?.run.runId;
          if (last === undefined || ended(last) !== undefined) return false;
          found = last;
          return (await logOf(node, last)).includes("at the gate");
        };
        await loop.until(`a run waits at the gate of ${node}`, waits);
        return found;
      }

      async function logOf(node: NodeName, runId: string): Promise<string> {
        const at = join(site.root, "gated", node);
        // The pod makes its folder when it begins.
        const names = await readdir(at).catch(() => []);
        const texts = await Promise.all(
          names
            .filter((name) => name.endsWith(".log"))
            .map((name) => readFile(join(at, name), "utf8")),
        );
        return texts.find((text) => text.includes(`run ${runId}:`)) ?? "";
      }

      it("is told by the pod itself when somebody deletes it", async () => {
        const runId = await atGate("node-1");
        const { metadata } = await podOf(cluster, runId);
        await cluster.kubectl(["delete", "pod", metadata.name, "--wait=false"]);
        expect(await outcomeOf(runId)).toMatchObject({ outcome: "cancelled" });
        expect((await record(runId))?.result?.origin).toBe("pod");
      });

      it("concludes an error when the process is killed in its container", async () => {
        const runId = await atGate("node-2");
        killProcessOf(runId);
        const { outcome, error } = await outcomeOf(runId);
        expect({ outcome, error }).toEqual({
          outcome: "error",
          error: expect.stringContaining("exit code 137 (SIGKILL)"),
        });
        expect((await record(runId))?.result?.origin).toBe("loop");
      });

      it("takes a result from a pod whose kubelet is dead, and begins nothing there until it is back", async () => {
        const kubelet = cluster.component("kubelet-node-1");
        const runId = await atGate("node-1");
        await kubelet.kill();
        await open("node-1");
        expect(await outcomeOf(runId)).toMatchObject({ outcome: "completed" });
        await close("node-1");
        // For the API server its job runs for ever.
        const { jobName } = (await record(runId))?.intent ?? {};
        await loop.until("its job is taken away", () =>
          loop.told("stray").some((stray) => stray.jobName === jobName),
        );
        await waitUntil("its pod is to end and cannot", async () => {
          return (await podOf(cluster, runId)).metadata.deletionTimestamp !== undefined;
        });
        expect(loop.told("planned").findLast(({ run }) => run.node === "node-1")).toMatchObject({
          run: { runId },
        });
        await kubelet.start();
        expect(await atGate("node-1")).not.toBe(runId);
      });

      it("takes a result from a pod whose containerd is dead", async () => {
        const containerd = cluster.component("containerd-node-2");
        const runId = await atGate("node-2");
        await containerd.kill();
        await open("node-2");
        expect(await outcomeOf(runId)).toMatchObject({ outcome: "completed" });
        await close("node-2");
        await containerd.start();
        expect(await atGate("node-2")).not.toBe(runId);
      });

      it("concludes an error when a pod dies with its containerd", async () => {
        const containerd = cluster.component("containerd-node-1");
        const runId = await atGate("node-1");
        await containerd.kill();
        killProcessOf(runId);
        await containerd.start();
        expect(await outcomeOf(runId)).toMatchObject({ outcome: "error" });
        expect((await record(runId))?.result?.origin).toBe("loop");
      });

      it("goes on testing afterwards, with no run lost and nothing passed that did not complete", async () => {
        for (const node of nodes) {
          const runId = await atGate(node);
          await open(node);
          expect(await outcomeOf(runId)).toMatchObject({ outcome: "completed" });
        }
        expect(await loop.stop()).toMatchObject({ code: 0 });
        const runs = await storedRuns(folder, "rough");
        expect(runs.length).toBeGreaterThanOrEqual(7);
        for (const { intent, result, verdict } of runs) {
          expect(result, intent.id).toBeDefined();
          expect(verdict, intent.id).toBeDefined();
          if (result?.outcome !== "completed") expect(verdict?.verdict).toBe("unknown");
        }
        await untilPodsEnded(cluster);
      });
    });
  },
  shape,
);
