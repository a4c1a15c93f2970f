import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { judge } from "../../../../src/chaos/judge/index.ts";
import {
  clearLeftovers,
  dryRunOnCluster,
  findLeftovers,
  marks,
} from "../../../../src/chaos/kubernetes/index.ts";
import type { Cluster } from "../../../cluster/fixture.ts";
import { startCluster } from "../../../cluster/fixture.ts";
import { describeCluster } from "../../../cluster/shared.ts";
import { waitUntil } from "../../../support/wait-until.ts";
import { connect } from "../kube/support/connect.ts";
import {
  bundle,
  deployWorkers,
  planOn,
  podNames,
  podTarget,
  setBudget,
  worldOn,
} from "./support/workers.ts";

const shape = { nodes: 2 };
const signal = () => new AbortController().signal;
/** A silent node is noticed sooner than as clusters are set up; kubelets speak every ten seconds. */
const extraArgs = {
  "controller-manager": ["--node-monitor-grace-period=25s", "--node-monitor-period=1s"],
};

describeCluster(
  "experiments on the pods of a real cluster",
  () => {
    let cluster: Cluster;
    beforeAll(async () => {
      cluster = await startCluster({ ...shape, bundle, extraArgs });
    }, 300_000);
    afterAll(() => cluster?.stop());

    const unschedulable = (node: string) =>
      cluster.kubectl(["get", "node", node, "-o", "jsonpath={.spec.unschedulable}"]);

    it("kills a pod, sees it go, and sees its controller bring another", async () => {
      await deployWorkers(cluster, "killed");
      const [name = ""] = await podNames(cluster, "killed");
      const client = await connect(cluster.kubeconfigPath);
      const plan = planOn("killed", [
        `{ fault: kill_pod, ${podTarget("killed", name)}, at: { time: 1s } }`,
      ]);
      const record = await worldOn(client).run(plan, { signal: signal() });
      const { outcome, reason, recoveries, metrics } = judge(plan, record, null);
      expect(outcome, `${reason} ${JSON.stringify(record.notes)}`).toBe("pass");
      expect(record.injections[0]).toMatchObject({ effect: `pod ${name} is gone` });
      expect(recoveries).toHaveLength(1);
      expect(metrics.recoverySeconds).toBeGreaterThan(0);
      expect(await podNames(cluster, "killed")).not.toContain(name);
    }, 300_000);

    it("breaks nothing in a namespace whose owners did not allow it", async () => {
      await deployWorkers(cluster, "forbidden", { allowed: false });
      const before = await podNames(cluster, "forbidden");
      const client = await connect(cluster.kubeconfigPath);
      const [name = ""] = before;
      const plan = planOn("forbidden", [
        `{ fault: kill_pod, ${podTarget("forbidden", name)}, at: { time: 0s } }`,
      ]);
      await expect(worldOn(client).run(plan, { signal: signal() })).rejects.toThrow(
        /tessera.dev\/chaos=allowed/,
      );
      expect(await podNames(cluster, "forbidden")).toEqual(before);
    }, 300_000);

    it("hits no larger share of the pods than the limits allow", async () => {
      await deployWorkers(cluster, "shared");
      const before = await podNames(cluster, "shared");
      const client = await connect(cluster.kubeconfigPath);
      const faults = before.map(
        (name) => `{ fault: kill_pod, ${podTarget("shared", name)}, at: { time: 0s } }`,
      );
      const half = "limits: { duration: 4m, targetsPercent: 50 }";
      await expect(
        worldOn(client).run(planOn("shared", faults, half), { signal: signal() }),
      ).rejects.toThrow("limits.targetsPercent allows 50 % of 2, which is 1");
      expect(await podNames(cluster, "shared")).toEqual(before);
      const record = await worldOn(client).run(planOn("shared", faults.slice(0, 1), half), {
        signal: signal(),
      });
      expect(record.injections[0]?.effect).toContain("is gone");
    }, 300_000);

    describe("under a disruption budget", () => {
      const kill = (name: string, by: string) =>
        planOn("budget", [
          `{ fault: kill_pod, params: { by: ${by} }, ${podTarget("budget", name)}, at: { time: 0s } }`,
        ]);

      it("evicts a pod that may go, and no pod that may not", async () => {
        await deployWorkers(cluster, "budget");
        const client = await connect(cluster.kubeconfigPath);
        await setBudget(cluster, "budget", 1);
        const [first = ""] = await podNames(cluster, "budget");
        const plan = kill(first, "evict");
        const record = await worldOn(client).run(plan, { signal: signal() });
        expect(judge(plan, record, null).outcome, record.notes.join()).toBe("pass");
        expect(await podNames(cluster, "budget")).not.toContain(first);

        await setBudget(cluster, "budget", 2);
        const before = await podNames(cluster, "budget");
        await expect(
          worldOn(client).run(kill(before[0] ?? "", "evict"), { signal: signal() }),
        ).rejects.toThrow(
          /kill_pod of pod budget\/\S+ would be refused: a disruption budget keeps/,
        );
        expect(await podNames(cluster, "budget")).toEqual(before);
      }, 300_000);

      it("deletes a pod that the budget would keep: a delete does not ask", async () => {
        const client = await connect(cluster.kubeconfigPath);
        await setBudget(cluster, "budget", 2);
        const [name = ""] = await podNames(cluster, "budget");
        const record = await worldOn(client).run(kill(name, "delete"), { signal: signal() });
        expect(record.injections[0]).toMatchObject({ effect: `pod ${name} is gone` });
      }, 300_000);

      it("proves nothing when the budget becomes strict only after the run has begun", async () => {
        const client = await connect(cluster.kubeconfigPath);
        await setBudget(cluster, "budget", 1);
        const before = await podNames(cluster, "budget");
        const plan = kill(before[0] ?? "", "evict");
        const evict = client.evict.bind(client);
        client.evict = async (pod, options) => {
          if (options?.dryRun !== true) await setBudget(cluster, "budget", 2);
          return evict(pod, options);
        };
        const record = await worldOn(client).run(plan, { signal: signal() });
        expect(record.notes.join()).toContain("a disruption budget keeps pod");
        expect(record.injections[0]).toMatchObject({ injectedUs: null, effect: null });
        expect(judge(plan, record, null).outcome).toBe("inconclusive");
        expect(await podNames(cluster, "budget")).toEqual(before);
      }, 300_000);
    });

    it("lets the API server try everything, and changes nothing", async () => {
      await deployWorkers(cluster, "tried");
      const before = await podNames(cluster, "tried");
      const [name = ""] = before;
      const client = await connect(cluster.kubeconfigPath);
      const plan = planOn("tried", [
        `{ fault: kill_pod, ${podTarget("tried", name)}, at: { time: 0s } }`,
        `{ fault: network_policy, ${podTarget("tried", name)}, at: { time: 0s }, for: 1s }`,
        "{ fault: cordon_node, target: { kubernetesNode: node-1 }, at: { time: 0s }, for: 1s }",
      ]);
      expect(await dryRunOnCluster(plan, { client }, signal())).toEqual([
        `kill_pod of pod tried/${name}`,
        `network_policy of pods ${name} of tried`,
        "cordon_node of node node-1",
      ]);
      expect(await podNames(cluster, "tried")).toEqual(before);
      expect(await unschedulable("node-1")).toBe("");
      expect(await findLeftovers(client, "tried")).toEqual([]);
      const nobody = planOn("tried", [
        "{ fault: cordon_node, target: { kubernetesNode: node-9 }, at: { time: 0s }, for: 1s }",
      ]);
      await expect(dryRunOnCluster(nobody, { client }, signal())).rejects.toThrow(
        /cordon_node of .* would be refused: .*node-9/,
      );
    }, 300_000);

    it("cordons a node for a while; one that was cordoned before stays so", async () => {
      await deployWorkers(cluster, "cordoned");
      await cluster.kubectl(["cordon", "node-2"]);
      const client = await connect(cluster.kubeconfigPath);
      const plan = planOn("cordoned", [
        "{ id: open, fault: cordon_node, target: { kubernetesNode: node-1 }, at: { time: 0s }, for: 2s }",
        "{ id: closed, fault: cordon_node, target: { kubernetesNode: node-2 }, at: { time: 0s }, for: 2s }",
      ]);
      const record = await worldOn(client).run(plan, { signal: signal() });
      expect(record.residualFaults).toEqual([]);
      const byId = new Map(record.injections.map((one) => [one.id, one]));
      expect(byId.get("open")).toMatchObject({ effect: "node node-1 takes no pods" });
      // It took no pods before either, so nothing was seen to change.
      expect(byId.get("closed")).toMatchObject({ effect: null });
      expect(record.notes.join()).toContain(
        "closed shows no effect: node node-2 took no pods before",
      );
      expect(judge(plan, record, null).outcome).toBe("inconclusive");
      expect(await unschedulable("node-1")).toBe("");
      expect(await unschedulable("node-2")).toBe("true");
      await cluster.kubectl(["uncordon", "node-2"]);
    }, 300_000);

    describe("a network policy", () => {
      const cut = (name: string, seconds: number) =>
        planOn("cut", [
          `{ fault: network_policy, ${podTarget("cut", name)}, at: { time: 0s }, for: ${seconds}s }`,
        ]);

      it("that the cluster's network does not enforce is said to do nothing, and leaves nothing", async () => {
        await deployWorkers(cluster, "cut");
        const [name = ""] = await podNames(cluster, "cut");
        const client = await connect(cluster.kubeconfigPath);
        const plan = cut(name, 3);
        const record = await worldOn(client).run(plan, { signal: signal() });
        expect(record.injections[0]).toMatchObject({ effect: null, effectUs: null });
        expect(record.injections[0]?.injectedUs).not.toBeNull();
        expect(record.notes.join()).toContain(
          `pod ${name} still answers: the network of this cluster seems to enforce no network policies`,
        );
        expect(judge(plan, record, null).outcome).toBe("inconclusive");
        expect(record.residualFaults).toEqual([]);
        expect(await findLeftovers(client, "cut")).toEqual([]);
      }, 300_000);

      it("that something enforces is seen to cut the pod off", async () => {
        const [name = ""] = await podNames(cluster, "cut");
        const client = await connect(cluster.kubeconfigPath);
        const running = worldOn(client).run(cut(name, 60), { signal: signal() });
        await waitUntil("the policy is there", async () => {
          const text = await cluster.kubectl(["-n", "cut", "get", "netpol", "-o", "name"]);
          return text.includes("networkpolicy");
        });
        const ip = ["-n", "cut", "get", "pod", name, "-o", "jsonpath={.status.podIP}"];
        const address = await cluster.kubectl(ip);
        // What a network that enforces policies would do.
        const rules = `table ip enforced { chain out { type filter hook output priority 0; ip daddr ${address} drop; }; }`;
        expect((await cluster.exec(["nft", rules])).exitCode).toBe(0);
        const record = await running;
        await cluster.exec(["nft", "delete", "table", "ip", "enforced"]);
        expect(record.injections[0], record.notes.join()).toMatchObject({
          effect: `nobody gets through to ${name}`,
        });
        expect(record.residualFaults).toEqual([]);
      }, 300_000);
    });

    it("takes back what a dead run left, as soon as its lease is over and not before", async () => {
      const client = await connect(cluster.kubeconfigPath);
      const leaseMs = 4_000_000_000_000;
      await cluster.kubectl(["cordon", "node-1"]);
      const mark = [`${marks.run}=k-dead`, `${marks.leaseUntil}=${leaseMs}`];
      await cluster.kubectl([
        "annotate",
        "node",
        "node-1",
        ...mark,
        `${marks.wasUnschedulable}=false`,
      ]);
      expect(await clearLeftovers(client, "default", leaseMs - 1)).toEqual([]);
      expect(await unschedulable("node-1")).toBe("true");
      expect(await clearLeftovers(client, "default", leaseMs)).toEqual([
        "node node-1 of run k-dead",
      ]);
      expect(await unschedulable("node-1")).toBe("");
    }, 300_000);

    it("stops a kubelet, sees the node go and its pods come back elsewhere, and judges how soon", async () => {
      await deployWorkers(cluster, "lost");
      const client = await connect(cluster.kubeconfigPath);
      const kubelet = (node: string) => cluster.component(`kubelet-${node}` as "kubelet-node-1");
      const nodeHook = {
        stop: (node: string) => kubelet(node).kill(),
        start: (node: string) => kubelet(node).start(),
      };
      const plan = planOn("lost", [
        "{ fault: fail_node, target: { kubernetesNode: node-2 }, at: { time: 1s }, for: 50s }",
      ]);
      expect(worldOn(client).refusals(plan)).toHaveLength(1);
      const record = await worldOn(client, { nodeHook }).run(plan, { signal: signal() });
      expect(record.injections[0]?.effect, record.notes.join()).toContain("not ready");
      expect(record.end).toBe("finished");
      expect(record.residualFaults).toEqual([]);
      const { outcome, reason, recoveries } = judge(plan, record, null);
      expect(outcome, reason).toBe("pass");
      expect(recoveries).toHaveLength(1);
      // The same run does not pass where all had to be back within a millisecond.
      const hasty = { ...plan.expect, within: { ...plan.expect.within, first: 1000 } };
      expect(judge({ ...plan, expect: hasty }, record, null).outcome).toBe("fail");
    }, 400_000);
  },
  shape,
);
