import { mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { resultPath, runPaths } from "../../../../src/validation/collect/index.ts";
import { type Cluster, startCluster } from "../../../cluster/fixture.ts";
import { describeCluster } from "../../../cluster/shared.ts";
import { distDir } from "../../../support/built-cli.ts";
import { tempDir } from "../../../support/temp-dir.ts";
import { waitUntil } from "../../../support/wait-until.ts";
import { expectConfined } from "./support/confined.ts";
import { gated, hostCompute, inside, wrongOn } from "./support/own-checks.ts";
import { killProcessOf, podOf, untilPodsEnded } from "./support/pods.ts";
import { createSite, type Site } from "./support/real-site.ts";
import { type StoredRun, storedRuns } from "./support/records.ts";
import { type EventOf, startValidate, type ValidateProcess } from "./support/validate-process.ts";

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

    it("computes on both nodes in plain Jobs and passes them, each result counted once", async () => {
      const folder = await tempDir();
      const config = await site.configure(folder, [
        site.entry("plain", { ...site.bothWays, scheduler: "job", checks: [hostCompute] }),
      ]);
      const done = await site.once(config);
      expect(done, done.stderr + done.stdout).toMatchObject({ code: 0 });

      const runs = await storedRuns(folder, "plain");
      expect(runs.map(({ intent }) => intent.node).toSorted()).toEqual(nodes);
      for (const run of runs) {
        const { intent, result, verdict } = run;
        expect(result).toMatchObject({ outcome: "completed", origin: "pod", hardFacts: [] });
        expect(result?.figures["gflops"]?.samples.length).toBeGreaterThan(0);
        expect(verdict?.verdict).toBe("pass");
        await site.expectHandedIn(run);
        const { spec } = await podOf(cluster, intent.id);
        expect(spec).toMatchObject({ nodeName: intent.node, schedulerName: "default-scheduler" });
      }
      const report = await site.reported(config);
      expect(report).toMatchObject({ code: 0, verdict: "pass" });
      for (const name of nodes) expect(report.node(name)).toMatchObject({ status: "pass" });
    });

    it("computes in Volcano's Jobs, and fails the node that gave a wrong answer", async () => {
      const folder = await tempDir();
      const checks = [hostCompute, wrongOn("node-2")];
      const config = await site.configure(folder, [
        site.entry("gang", { ...site.bothWays, scheduler: "volcano", checks }),
      ]);
      const done = await site.once(config);
      expect(done, done.stderr + done.stdout).toMatchObject({ code: 1 });

      const runs = await storedRuns(folder, "gang");
      expect(runs).toHaveLength(4);
      for (const run of runs) {
        const { intent, result, verdict } = run;
        expect(result).toMatchObject({ outcome: "completed", origin: "pod" });
        const isWrong = intent.check === "arithmetic" && intent.node === "node-2";
        // Two nodes are no cohort, and nobody knows what arithmetic is worth on such a node.
        const expected = isWrong ? "fail" : intent.check === "arithmetic" ? "unknown" : "pass";
        expect(verdict?.verdict, `${intent.check} on ${intent.node}`).toBe(expected);
        await site.expectHandedIn(run);
        const { spec } = await podOf(cluster, intent.id);
        expect(spec).toMatchObject({ nodeName: intent.node, schedulerName: "volcano" });
      }
      const report = await site.reported(config);
      expect(report).toMatchObject({ code: 1, verdict: "fail" });
      expect(report.node("node-2")).toMatchObject({
        status: "fail",
        reason: expect.stringContaining("2 + 2 is 5"),
      });
    });

    it("is content with either way of handing in, and counts both once when the other follows", async () => {
      const folder = await tempDir();
      const config = await site.configure(folder, [
        site.entry("posts", { resultUrl: site.url, excludedNodes: ["node-2"], checks: [inside] }),
        site.entry("files", {
          results: { hostPath: site.root },
          excludedNodes: ["node-1"],
          checks: [inside],
        }),
      ]);
      const loop = await startValidate(config);
      onTestFinished(async () => void (await loop.kill()));
      await loop.until("both are judged", () => loop.told("judged").length === 2);
      const [posted] = await storedRuns(folder, "posts");
      expect(posted).toMatchObject({ results: 1, result: { outcome: "completed", origin: "pod" } });
      expect(posted?.handIns.map(({ way }) => way)).toEqual(["post"]);
      const [filed] = await storedRuns(folder, "files");
      expect(filed).toMatchObject({ results: 1, result: { outcome: "completed", origin: "pod" } });
      expect(filed?.handIns.map(({ way }) => way)).toEqual(["file"]);
      if (posted === undefined || filed === undefined) return;

      const document = await readFile(runPaths(site.root, filed.intent).result, "utf8");
      const tokenOf = async ({ intent }: StoredRun) => {
        const [container] = (await podOf(cluster, intent.id)).spec.containers;
        return container?.env?.find(({ name }) => name === "TESSERA_RUN_TOKEN")?.value ?? "";
      };
      const post = async (token: string, body: string) => {
        const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
        const target = `${site.url}${resultPath(filed.intent.id)}`;
        return (await fetch(target, { method: "POST", headers, body })).status;
      };
      const own = await tokenOf(filed);
      expect(await post(await tokenOf(posted), document)).toBe(401);
      expect(await post(own, document.replace("completed", "error"))).toBe(422);
      expect(await post(own, document)).toBe(200);
      const [again] = await storedRuns(folder, "files");
      expect(again).toMatchObject({ results: 1, result: filed.result });
      expect(again?.handIns.map(({ way }) => way).toSorted()).toEqual(["file", "post"]);
      expect(new Set(again?.handIns.map(({ digest }) => digest)).size).toBe(1);
      expect(await loop.stop()).toMatchObject({ code: 0 });
      await untilPodsEnded(cluster);
      for (const run of [posted, filed]) await expectConfined(cluster, run);
    });

    describe("when what carries a run dies", () => {
      let folder: string;
      let loop: ValidateProcess;
      beforeAll(async () => {
        folder = join(cluster.dataDir, "outages");
        const config = await site.configure(
          folder,
          [site.entry("rough", { ...site.bothWays, checks: [gated] })],
          { policy: "random", resultGrace: "3s" },
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
