import { afterAll, beforeAll, expect, it } from "vitest";
import {
  isNotFound,
  type KubeClient,
  type KubeObject,
  resourceTypes,
} from "../../../../src/platform/kube/index.ts";
import type { Cluster as Target } from "../../../../src/validation/clusters/cluster.ts";
import { getFreeNodeList } from "../../../../src/validation/clusters/free-nodes.ts";
import { type Cluster, startCluster } from "../../../cluster/fixture.ts";
import { describeCluster } from "../../../cluster/shared.ts";
import { waitUntil } from "../../../support/wait-until.ts";
import { connect, current, look, reasons, userPod } from "./support/look.ts";

const shape = { nodes: 1, kwok: 12 };
/** A busy machine must not make KWOK's nodes look dead. */
const extraArgs = { "controller-manager": ["--node-monitor-grace-period=1h"] };

describeCluster(
  "the nodes of a Kubernetes cluster as validation sees them",
  () => {
    let cluster: Cluster;
    let client: KubeClient;
    beforeAll(async () => {
      cluster = await startCluster({ ...shape, extraArgs });
      client = await connect(cluster);
    });
    afterAll(async () => {
      client?.close();
      await cluster?.stop();
    });

    /** Makes of every node something else; returns how to change a node's status. */
    async function arrange(target: Target) {
      const status = (node: string, patch: object) =>
        cluster.kubectl([
          "patch",
          "node",
          node,
          "--subresource=status",
          "-p",
          JSON.stringify(patch),
        ]);
      const rdma = { capacity: { "rdma/hca": "4" }, allocatable: { "rdma/hca": "4" } };
      for (let index = 1; index <= 11; index++) await status(`kwok-${index}`, { status: rdma });
      await cluster.kubectl(["cordon", "kwok-2"]);
      await cluster.kubectl([
        "taint",
        "node",
        "kwok-3",
        "team=red:NoSchedule",
        "soft=1:PreferNoSchedule",
      ]);
      await target.controls?.cordon("kwok-7", "two checks failed");
      await cluster.kubectl(["label", "node", "kwok-8", "tessera.dev/exclude=true"]);
      const none = { "nvidia.com/gpu": "0" };
      await status("kwok-5", { status: { capacity: none, allocatable: none } });
      await cluster.apply(
        userPod("busy", "kwok-1", { "nvidia.com/gpu": "1" }),
        userPod("hungry", "kwok-6", { cpu: "61", memory: "505Gi" }),
        userPod("modest", "kwok-9", { cpu: "10" }),
        userPod("fabric", "kwok-10", { "rdma/hca": "4" }),
      );
      return status;
    }

    it("finds the free nodes, and says of every other why it is not", async () => {
      const target = look(client, {
        rdma: { resource: "rdma/hca", devices: 1 },
        cpu: "4",
        memory: "8Gi",
      });
      await current(target);
      const status = await arrange(target);
      // KWOK no longer plays this one, and says nothing against what is said of it here.
      await cluster.kubectl(["annotate", "node", "kwok-4", "kwok.x-k8s.io/node-"]);
      const condition = { type: "Ready", status: "False", reason: "Down", message: "fans stopped" };
      await waitUntil("kwok-4 is not ready", async () => {
        await status("kwok-4", { status: { conditions: [condition] } });
        return reasons(target, "kwok-4").some((reason) => reason.includes("fans stopped"));
      });
      await waitUntil("all pods are placed", () => reasons(target, "kwok-10").length > 0);
      // New nodes keep a taint until the controllers have seen that they are ready.
      const isNew = () =>
        JSON.stringify(target.view().nodes.map(({ notFree }) => notFree)).includes(
          "node.kubernetes.io/",
        );
      await waitUntil(
        "the fleet is as expected",
        () => getFreeNodeList(target.view()).length === 3 && !isNew(),
      );

      expect(getFreeNodeList(target.view())).toEqual(["kwok-11", "kwok-7", "kwok-9"]);
      expect(reasons(target, "kwok-1")).toEqual(["busy: pod default/busy holds 1 of 8 GPUs"]);
      expect(reasons(target, "kwok-2")).toEqual([
        expect.stringMatching(/^cordoned: it is closed to new pods by kubectl/),
      ]);
      expect(reasons(target, "kwok-3")).toEqual([
        "tainted: the job does not tolerate taint team=red:NoSchedule",
      ]);
      expect(reasons(target, "kwok-4")).toEqual(["not-ready: fans stopped"]);
      expect(reasons(target, "kwok-5")).toEqual(["no-gpu: it offers no nvidia.com/gpu"]);
      expect(reasons(target, "kwok-6")).toEqual([
        "cpu: the job asks for 4 CPU, 3 of 64 is left",
        "memory: the job asks for 8 GiB memory, 7 GiB of 512 GiB is left",
      ]);
      expect(reasons(target, "kwok-8")).toEqual([
        "excluded: its label tessera.dev/exclude says so",
      ]);
      expect(reasons(target, "kwok-10")).toEqual([
        "rdma: the job asks for 1 rdma/hca, 0 of 4 is left",
      ]);
      expect(reasons(target, "kwok-12")).toEqual([
        "rdma: the job asks for 1 rdma/hca, 0 of 0 is left",
      ]);
      const seven = target.view().nodes.find(({ name }) => name === "kwok-7");
      expect(seven).toMatchObject({ gpus: 8, cordoned: true, awaitsAcceptance: true });
      expect(seven?.sku).toBe("simulated");

      await cluster.kubectl(["delete", "pod", "busy", "--grace-period=0", "--force"]);
      await waitUntil("kwok-1 is free", () => reasons(target, "kwok-1").length === 0);
    });

    it("opens what it closed, and leaves alone what others closed", async () => {
      const target = look(client);
      await current(target);
      const { controls } = target;
      const node = (name: string) => client.get(resourceTypes.nodes, { name });
      expect(await controls?.uncordon("kwok-2", "passed")).toBe(false);
      expect(await controls?.cordon("kwok-2", "not ours to close")).toBe(false);
      expect(await controls?.uncordon("kwok-2", "passed")).toBe(false);
      expect(await controls?.cordon("kwok-12", "first reason")).toBe(true);
      expect(await controls?.cordon("kwok-12", "second reason")).toBe(true);
      expect((await node("kwok-12")).metadata.annotations).toMatchObject({
        "tessera.dev/cordoned-by": "prod",
        "tessera.dev/cordon-reason": "first reason",
      });
      expect(await controls?.uncordon("kwok-12", "passed")).toBe(true);
      expect(await controls?.uncordon("kwok-12", "passed")).toBe(true);
      expect((await node("kwok-12")).metadata.annotations).not.toHaveProperty([
        "tessera.dev/cordoned-by",
      ]);
      await controls?.cordon("kwok-12", "again");
      // Somebody opens it and closes it again: from then on it is theirs.
      await cluster.kubectl(["uncordon", "kwok-12"]);
      await cluster.kubectl(["cordon", "kwok-12"]);
      expect(await controls?.uncordon("kwok-12", "passed")).toBe(false);
      await waitUntil("it is not eligible", () => reasons(target, "kwok-12").length > 0);
      expect(reasons(target, "kwok-12")[0]).toContain("cordoned");
      await controls?.mark("kwok-12", { labels: { "tessera.dev/verdict": "fail" } });
      expect((await node("kwok-12")).metadata.labels).toHaveProperty(
        ["tessera.dev/verdict"],
        "fail",
      );
      await controls?.mark("kwok-12", { labels: { "tessera.dev/verdict": null } });
      expect((await node("kwok-12")).metadata.labels).not.toHaveProperty(["tessera.dev/verdict"]);
      await cluster.kubectl(["uncordon", "kwok-12"]);
    });

    it("notices a user's pod that crashes with a GPU, and no other end", async () => {
      const target = look(client);
      await current(target);
      target.takeSigns();
      const ends = (name: string, exitCode: number, gpus: number) =>
        userPod(name, "node-1", gpus === 0 ? {} : { "nvidia.com/gpu": String(gpus) }, [
          "sh",
          "-c",
          `exit ${exitCode}`,
        ]);
      await cluster.apply(ends("fine", 0, 1), ends("without-gpu", 1, 0), ends("crash", 139, 1));
      const names = ["fine", "without-gpu", "crash"];
      const haveEnded = async () => {
        const pods = await Promise.all(names.map((name) => podPhase(client, name)));
        return pods.every((phase) => phase === "Succeeded" || phase === "Failed");
      };
      await waitUntil("all have ended", haveEnded, { timeoutMs: 180_000 });
      const signs: unknown[] = [];
      await waitUntil("there is a sign", () => signs.push(...target.takeSigns()) > 0);
      expect(signs).toEqual([
        { kind: "crash", atMs: expect.any(Number), node: "node-1", job: "default/crash" },
      ]);
      await cluster.kubectl(["delete", "pod", "fine", "without-gpu", "crash"]);
    });

    it("says that its view is stale while the server is dead, once, and recovers", async () => {
      const lines: string[] = [];
      const target = look(client, {}, { lines });
      await current(target);
      lines.length = 0;
      await cluster.component("apiserver").kill("SIGKILL");
      await waitUntil("it knows", () => target.view().trust.state === "stale");
      expect(getFreeNodeList(target.view())).toEqual([]);
      // Each of its watches learns of it in its own time.
      await waitUntil("it knows of the nodes", () => {
        const { trust } = target.view();
        return trust.state === "stale" && trust.reason.includes("nodes");
      });
      expect(target.view().trust).toMatchObject({
        sinceMs: expect.any(Number),
        reason: expect.stringMatching(/^Changes of .*nodes.* may be missing: .*\.$/),
      });
      const warnings = () => lines.filter((line) => line.includes('"level":"warn"')).length;
      expect(warnings()).toBe(1);
      await cluster.component("apiserver").start();
      await current(target);
      expect(getFreeNodeList(target.view()).length).toBeGreaterThan(0);
      // A server that has just come back may refuse a watch after all: each warning has its end.
      expect(lines.filter((line) => line.includes("current again"))).toHaveLength(warnings());
    });
  },
  shape,
);

async function podPhase(client: KubeClient, name: string): Promise<string> {
  interface Pod extends KubeObject {
    readonly status?: { readonly phase?: string };
  }
  const pod = await client
    .get<Pod>(resourceTypes.pods, { namespace: "default", name })
    .catch((error: unknown) => {
      if (isNotFound(error)) return undefined;
      throw error;
    });
  return pod?.status?.phase ?? "";
}
