import { readFileSync } from "node:fs";
import { afterAll, beforeAll, expect, it } from "vitest";
import { findLeftovers } from "../../../../src/chaos/kubernetes/index.ts";
import type { ExperimentEventsView } from "../../../../src/control/api/experiments.ts";
import { type Cluster, startCluster } from "../../../cluster/fixture.ts";
import { describeCluster } from "../../../cluster/shared.ts";
import { childrenOf } from "../../../control/experiments/children.ts";
import { type ExperimentPlane, experimentProgram } from "../../../control/experiments/support.ts";
import { waitUntil } from "../../../support/wait-until.ts";
import { examplePath, kubeconfigOf, manifestOf } from "../chaos/support/service-account.ts";
import { bundle, deployWorkers, podNames } from "../chaos/support/workers.ts";
import { connect } from "../kube/support/connect.ts";

const shape = { nodes: 2 };
const namespace = "training";
const path = "/api/v1/experiments";
const text = readFileSync(examplePath("kill-pod.yaml"), "utf8");
/** Stays in force until somebody ends it. */
const cut = text
  .replace("fault: kill_pod", "fault: network_policy\n    for: 10m")
  .replace("at: { time: 5s }", "at: { time: 0s }")
  .replace("duration: 5m", "duration: 15m");
const timeoutMs = 120_000;

describeCluster(
  "experiments that the API starts on a real cluster",
  () => {
    const program = experimentProgram();
    let cluster: Cluster;
    beforeAll(async () => {
      cluster = await startCluster({ ...shape, bundle });
      await cluster.apply(...manifestOf("rbac.yaml"));
      await deployWorkers(cluster, namespace);
    }, 300_000);
    afterAll(() => cluster?.stop());

    /** With no rights in the cluster but those of the example. */
    const plane = async (
      worlds: readonly ("sim" | "kubernetes")[],
      given?: string,
      more: { readonly actAs?: string } = {},
    ) => {
      const kubeconfig = given ?? (await kubeconfigOf(cluster, { name: "chaos", namespace }));
      return program.plane({ more: { worlds: [...worlds], ...more }, kubernetes: { kubeconfig } });
    };
    /** An account that may do nothing but be the one of the example. */
    const impersonator = async () => {
      const name = "impersonator";
      const inNamespace = ["-n", namespace, "create"];
      await cluster.kubectl([...inNamespace, "serviceaccount", name]);
      const what = ["--verb=impersonate", "--resource=serviceaccounts", "--resource-name=chaos"];
      await cluster.kubectl([...inNamespace, "role", name, ...what]);
      const who = [`--role=${name}`, `--serviceaccount=${namespace}:${name}`];
      await cluster.kubectl([...inNamespace, "rolebinding", name, ...who]);
      return await kubeconfigOf(cluster, { name, namespace });
    };
    const leftovers = async () => {
      const client = await connect(cluster.kubeconfigPath);
      return (await findLeftovers(client, namespace)).map(({ kind }) => kind);
    };
    const post = (to: ExperimentPlane, json: object) =>
      to.call("POST", path, { token: to.token, json });
    const inForce = async (on: ExperimentPlane, id: string) => {
      const cutOff = async () => {
        const { injections, state, reason } = await on.detail(id);
        expect(state, reason ?? "").toBe("running");
        return injections.some(
          ({ injectedS, revertedS }) => injectedS !== null && revertedS === null,
        );
      };
      await waitUntil("the detail shows the fault in force", cutOff, { timeoutMs });
      expect(await leftovers()).toContain("policy");
    };
    const ready = () =>
      waitUntil("both are ready", async () => (await podNames(cluster, namespace)).length === 2, {
        timeoutMs,
      });

    it("are planned with the pods that are there, run, are watched and pass", async () => {
      await using on = await plane(["sim", "kubernetes"]);
      const before = await podNames(cluster, namespace);
      const planned = await post(on, { text, world: "kubernetes", dryRun: true });
      expect(planned).toMatchObject({
        status: 200,
        json: { refusals: [], faults: [{ fault: "kill_pod" }] },
      });
      expect(before.some((name) => JSON.stringify(planned.json["faults"]).includes(name))).toBe(
        true,
      );
      expect(await podNames(cluster, namespace)).toEqual(before);

      const { id } = await on.start(text, { world: "kubernetes" });
      const detail = await on.ended(id);
      expect(detail, detail.reason ?? "").toMatchObject({
        state: "finished",
        outcome: "pass",
        provenance: "measured",
        residualFaults: [],
      });
      const { json } = await on.call("GET", `${path}/${id}/events?limit=2000`);
      const { events } = json as unknown as ExperimentEventsView;
      const told = events.filter(({ kind }) => kind === "fault").map((event) => event.text);
      expect(told).toEqual([
        expect.stringContaining("injected"),
        expect.stringContaining("is gone"),
        expect.stringContaining("undone"),
      ]);
      expect(await leftovers()).toEqual([]);
    }, 300_000);

    it("are stopped by a person with everything undone", async () => {
      await ready();
      await using on = await plane(["sim", "kubernetes"]);
      const { id } = await on.start(cut, { world: "kubernetes" });
      await inForce(on, id);
      const answer = await on.call("POST", `${path}/${id}/stop`, { token: on.token });
      expect(answer).toMatchObject({ status: 200, json: { state: "stopping" } });
      const detail = await on.ended(id);
      expect(detail).toMatchObject({
        state: "stopped",
        outcome: "inconclusive",
        residualFaults: [],
      });
      expect(detail.injections[0]?.revertedS).not.toBeNull();
      expect(await leftovers()).toEqual([]);
    }, 300_000);

    it("whose process is killed leave nothing in force either", async () => {
      await ready();
      await using on = await plane(["sim", "kubernetes"]);
      const { id } = await on.start(cut, { world: "kubernetes" });
      await inForce(on, id);
      for (const pid of await childrenOf(process.pid)) process.kill(pid, "SIGKILL");
      expect(await on.ended(id)).toMatchObject({
        state: "interrupted",
        outcome: null,
        reason: expect.not.stringContaining("could not be taken back"),
      });
      expect(await leftovers()).toEqual([]);
    }, 300_000);

    it("have the rights of the account that the configuration names, and without it none but the server's", async () => {
      await ready();
      const kubeconfig = await impersonator();
      await using on = await plane(["kubernetes"], kubeconfig, { actAs: `${namespace}/chaos` });
      const { id } = await on.start(text, { world: "kubernetes" });
      const detail = await on.ended(id);
      expect(detail, detail.reason ?? "").toMatchObject({ outcome: "pass", residualFaults: [] });
      await ready();
      await using bare = await plane(["kubernetes"], kubeconfig);
      expect(await post(bare, { text, world: "kubernetes" })).toMatchObject({
        status: 409,
        json: { code: "E_WORLD" },
      });
    }, 300_000);

    it("are refused where the configuration does not name that world, and nothing is broken", async () => {
      await ready();
      await using on = await plane(["sim"]);
      const before = await podNames(cluster, namespace);
      expect(await post(on, { text, world: "kubernetes" })).toMatchObject({
        status: 409,
        json: { code: "E_WORLD", detail: expect.stringContaining("experiments.worlds") },
      });
      expect(await podNames(cluster, namespace)).toEqual(before);
      expect((await on.call("GET", path)).json).toMatchObject({ experiments: [] });
    }, 300_000);

    it("are refused in a namespace where the server has no rights, or whose owners did not allow it", async () => {
      await deployWorkers(cluster, "theirs", { allowed: false });
      const theirs = text.replaceAll(`namespace: ${namespace}`, "namespace: theirs");
      const refusal = async (given?: string) => {
        await using on = await plane(["sim", "kubernetes"], given);
        const { status, json } = await post(on, { text: theirs, world: "kubernetes" });
        return { status, code: json["code"], detail: json["detail"] };
      };
      const about = { status: 409, code: "E_WORLD" };
      expect(await refusal()).toMatchObject({ ...about, detail: expect.stringContaining("pods") });
      const detail = expect.stringContaining("tessera.dev/chaos=allowed");
      expect(await refusal(cluster.kubeconfigPath)).toMatchObject({ ...about, detail });
      expect(await podNames(cluster, "theirs")).toHaveLength(2);
    }, 300_000);
  },
  shape,
);
