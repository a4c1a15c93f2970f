import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { findLeftovers } from "../../../../src/chaos/kubernetes/index.ts";
import type { ExperimentDetailView } from "../../../../src/control/api/experiments.ts";
import { type Cluster, startCluster } from "../../../cluster/fixture.ts";
import { describeCluster } from "../../../cluster/shared.ts";
import { distDir } from "../../../support/built-cli.ts";
import { waitUntil } from "../../../support/wait-until.ts";
import { examplePath } from "../chaos/support/service-account.ts";
import { deployWorkers, podNames } from "../chaos/support/workers.ts";
import { connect } from "../kube/support/connect.ts";
import { askMay } from "./support/may.ts";
import {
  adminToken,
  ask,
  controlPods,
  install,
  namespace,
  prepare,
  testValues,
} from "./support/release.ts";

vi.setConfig({ testTimeout: 600_000 });
const shape = { nodes: 2 };
const account = `system:serviceaccount:${namespace}:tessera`;
const path = "/api/v1/experiments";
const timeoutMs = 180_000;
const killPod = readFileSync(examplePath("kill-pod.yaml"), "utf8");
/** Stays in force until somebody ends it. */
const cutOff = killPod
  .replace("fault: kill_pod", "fault: network_policy\n    for: 10m")
  .replace("at: { time: 5s }", "at: { time: 0s }")
  .replace("duration: 5m", "duration: 15m");

/** The release without validation; with a list of namespaces, experiments on pods there. */
function values(namespaces: readonly string[]) {
  const worlds = namespaces.length === 0 ? [] : ["sim", "kubernetes"];
  const experiments = { worlds, namespaces };
  return { ...testValues(), validation: { enabled: false }, experiments };
}

describeCluster(
  "experiments on pods of an installed chart",
  () => {
    let cluster: Cluster;
    let token: string;
    beforeAll(async () => {
      cluster = await startCluster({ ...shape, bundle: join(distDir, "bundle", "tessera.mjs") });
      await prepare(cluster);
      for (const name of ["training", "theirs"]) await deployWorkers(cluster, name);
      await install(cluster, values([]));
      token = await adminToken(cluster);
    });
    afterAll(() => cluster?.stop());

    const start = (text: string) =>
      ask(cluster, path, { token, post: { text, world: "kubernetes" } });
    const started = async (text: string) => {
      const { status, body } = await start(text);
      expect(status, JSON.stringify(body)).toBe(202);
      return (body as { readonly id: string }).id;
    };
    const detail = async (id: string) =>
      (await ask(cluster, `${path}/${id}`, { token })).body as ExperimentDetailView;
    const ended = async (id: string) => {
      const over = ["finished", "stopped", "failed", "interrupted"];
      const isOver = async () => over.includes((await detail(id)).state);
      await waitUntil(`experiment ${id} is over`, isOver, { timeoutMs });
      return await detail(id);
    };
    const leftovers = async () => {
      const client = await connect(cluster.kubeconfigPath);
      return (await findLeftovers(client, "training")).map(({ kind }) => kind);
    };
    const untilBothReady = () =>
      waitUntil(
        "both workers are ready",
        async () => (await podNames(cluster, "training")).length === 2,
        { timeoutMs },
      );
    const experimenterMay = (verb: string, resource: string, where: string) =>
      askMay(cluster, `${account}-experimenter`, { verb, resource, in: where });

    it("are refused as long as the values name no namespace, and nothing is broken", async () => {
      const before = await podNames(cluster, "training");
      const refused = { status: 409, body: { code: "E_WORLD" } };
      expect(await start(killPod)).toMatchObject(refused);
      expect(await podNames(cluster, "training")).toEqual(before);
      expect(await experimenterMay("delete", "pods", "training")).toBe("no");
    });

    it("kill a pod of a namespace that the values name, and see its controller bring another", async () => {
      await install(cluster, values(["training"]));
      const before = await podNames(cluster, "training");
      const done = await ended(await started(killPod));
      expect(done, done.reason ?? "").toMatchObject({
        outcome: "pass",
        provenance: "measured",
        residualFaults: [],
      });
      await untilBothReady();
      const after = await podNames(cluster, "training");
      expect(after.filter((name) => before.includes(name))).toHaveLength(1);
      expect(await leftovers()).toEqual([]);
    });

    it("have the rights of an account that has them in that namespace alone", async () => {
      expect(await experimenterMay("delete", "pods", "training")).toBe("yes");
      expect(await experimenterMay("delete", "pods", "theirs")).toBe("no");
      expect(await experimenterMay("delete", "pods", namespace)).toBe("no");
      expect(await experimenterMay("patch", "nodes", "training")).toBe("no");
      expect(
        await askMay(cluster, account, { verb: "delete", resource: "pods", in: "training" }),
      ).toBe("no");
    });

    it("are refused in another namespace, though its owners allow chaos", async () => {
      const before = await podNames(cluster, "theirs");
      const theirs = killPod.replaceAll("namespace: training", "namespace: theirs");
      expect(await start(theirs)).toMatchObject({ status: 409, body: { code: "E_WORLD" } });
      expect(await podNames(cluster, "theirs")).toEqual(before);
    });

    it("are taken back by a control plane whose pod is deleted in the middle", async () => {
      await untilBothReady();
      const id = await started(cutOff);
      const isInForce = async () => (await leftovers()).includes("policy");
      await waitUntil("the policy is in force", isInForce, { timeoutMs });
      const [pod] = await controlPods(cluster);
      const name = pod?.metadata.name ?? "";
      await cluster.kubectl(["-n", namespace, "delete", "pod", name], { timeoutMs });
      expect(await leftovers()).toEqual([]);
      const { state, outcome, residualFaults } = await ended(id);
      expect([state, outcome === "pass", residualFaults]).toEqual(["stopped", false, []]);
    });

    it("are taken back when the pods are let go of before their rights are, and an upgrade brings the pods again", async () => {
      await untilBothReady();
      await started(cutOff);
      const isInForce = async () => (await leftovers()).includes("policy");
      await waitUntil("the policy is in force", isInForce, { timeoutMs });
      const kubectl = (...args: readonly string[]) =>
        cluster.kubectl(["-n", namespace, ...args], { timeoutMs: 200_000 });
      await kubectl("scale", "deploy/tessera", "--replicas=0");
      const selector = "app.kubernetes.io/component=control-plane";
      await kubectl("wait", "--for=delete", "pod", "-l", selector, "--timeout=180s");
      expect(await leftovers()).toEqual([]);
      await install(cluster, values(["training"]));
      expect(await controlPods(cluster)).toHaveLength(1);
    });

    it("are closed again by an upgrade, and their account is gone", async () => {
      await install(cluster, values([]));
      expect(await start(killPod)).toMatchObject({ status: 409, body: { code: "E_WORLD" } });
      expect(await experimenterMay("delete", "pods", "training")).toBe("no");
      const roles = await cluster.kubectl([
        "-n",
        "training",
        "get",
        "roles,rolebindings",
        "-o",
        "name",
      ]);
      expect(roles).toBe("");
    });
  },
  shape,
);
