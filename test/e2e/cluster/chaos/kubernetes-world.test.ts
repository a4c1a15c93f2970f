import { afterAll, beforeAll, expect, it } from "vitest";
import { judge } from "../../../../src/chaos/judge/index.ts";
import { clearLeftovers, findLeftovers, marks } from "../../../../src/chaos/kubernetes/index.ts";
import type { Cluster } from "../../../cluster/fixture.ts";
import { startCluster } from "../../../cluster/fixture.ts";
import { describeCluster } from "../../../cluster/shared.ts";
import { connect } from "../kube/support/connect.ts";
import { bundle, deployWorkers, planOn, podNames, worldOn } from "./support/workers.ts";

const shape = { nodes: 2 };
const signal = () => ({ signal: new AbortController().signal });

describeCluster(
  "experiments on the pods of a real cluster",
  () => {
    let cluster: Cluster;
    beforeAll(async () => {
      cluster = await startCluster({ ...shape, bundle });
    }, 300_000);
    afterAll(() => cluster?.stop());

    const unschedulable = (node: string) =>
      cluster.kubectl(["get", "node", node, "-o", "jsonpath={.spec.unschedulable}"]);

    it("kills a pod, sees it go, and sees its controller bring another", async () => {
      await deployWorkers(cluster, "killed");
      const [name = ""] = await podNames(cluster, "killed");
      const client = await connect(cluster.kubeconfigPath);
      const plan = planOn(
        "killed",
        `  - { fault: kill_pod, target: { pod: { namespace: killed, name: ${name} } }, at: { time: 1s } }`,
      );
      const record = await worldOn(client).run(plan, signal());
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
      const plan = planOn(
        "forbidden",
        `  - { fault: kill_pod, target: { pod: { namespace: forbidden, name: ${name} } }, at: { time: 0s } }`,
      );
      await expect(worldOn(client).run(plan, signal())).rejects.toThrow(
        /tessera.dev\/chaos=allowed/,
      );
      expect(await podNames(cluster, "forbidden")).toEqual(before);
    }, 300_000);

    it("cordons a node for a while; one that was cordoned before stays so", async () => {
      await deployWorkers(cluster, "cordoned");
      await cluster.kubectl(["cordon", "node-2"]);
      const client = await connect(cluster.kubeconfigPath);
      const plan = planOn(
        "cordoned",
        `  - { id: open, fault: cordon_node, target: { kubernetesNode: node-1 }, at: { time: 0s }, for: 2s }
  - { id: closed, fault: cordon_node, target: { kubernetesNode: node-2 }, at: { time: 0s }, for: 2s }`,
      );
      const record = await worldOn(client).run(plan, signal());
      expect(record.residualFaults).toEqual([]);
      const byId = new Map(record.injections.map((one) => [one.id, one]));
      expect(byId.get("open")).toMatchObject({ effect: "node node-1 takes no pods" });
      // It took no pods before either, so nothing was seen to change.
      expect(byId.get("closed")).toMatchObject({ effect: null });
      expect(judge(plan, record, null).outcome).toBe("inconclusive");
      expect(await unschedulable("node-1")).toBe("");
      expect(await unschedulable("node-2")).toBe("true");
      await cluster.kubectl(["uncordon", "node-2"]);
    }, 300_000);

    it("calls a network policy without effect inconclusive, and leaves no policy and no label", async () => {
      await deployWorkers(cluster, "cut");
      const [name = ""] = await podNames(cluster, "cut");
      const client = await connect(cluster.kubeconfigPath);
      const plan = planOn(
        "cut",
        `  - { fault: network_policy, target: { pod: { namespace: cut, name: ${name} } }, at: { time: 0s }, for: 3s }`,
      );
      // The network of this cluster enforces no policies; somebody asks the pod and gets through.
      const seen: string[] = [];
      const isReachable = async () => {
        seen.push(await cluster.kubectl(["-n", "cut", "get", "netpol", "-o", "name"]));
        return true;
      };
      const record = await worldOn(client, { isReachable }).run(plan, signal());
      expect(seen[0]).toContain("networkpolicy");
      expect(record.injections[0]).toMatchObject({ effectUs: null });
      expect(judge(plan, record, null).outcome).toBe("inconclusive");
      expect(record.residualFaults).toEqual([]);
      expect(await findLeftovers(client, "cut")).toEqual([]);
    }, 300_000);

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

    it("stops a kubelet, sees the node go, and pods come back on the other node", async () => {
      await deployWorkers(cluster, "lost");
      const client = await connect(cluster.kubeconfigPath);
      const kubelet = (node: string) => cluster.component(`kubelet-${node}` as "kubelet-node-1");
      const nodeHook = {
        stop: (node: string) => kubelet(node).kill(),
        start: (node: string) => kubelet(node).start(),
      };
      const plan = planOn(
        "lost",
        "  - { fault: fail_node, target: { kubernetesNode: node-2 }, at: { time: 1s }, for: 90s }",
      );
      expect(worldOn(client).refusals(plan)).toHaveLength(1);
      const record = await worldOn(client, { nodeHook }).run(plan, signal());
      expect(record.injections[0]?.effect, record.notes.join()).toContain("not ready");
      expect(record.end).toBe("finished");
      expect(record.residualFaults).toEqual([]);
    }, 400_000);
  },
  shape,
);
