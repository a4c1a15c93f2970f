import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { dryRunOnCluster, findLeftovers } from "../../../../src/chaos/kubernetes/index.ts";
import { messageOf } from "../../../../src/platform/errors/index.ts";
import { type Cluster, startCluster } from "../../../cluster/fixture.ts";
import { describeCluster } from "../../../cluster/shared.ts";
import { type CliResult, runCli, startCli } from "../../../support/built-cli.ts";
import { waitUntil } from "../../../support/wait-until.ts";
import { connect } from "../kube/support/connect.ts";
import {
  examplePath,
  kubeconfigOf,
  manifestOf,
  rolesOf,
  withoutEach,
} from "./support/service-account.ts";
import {
  bundle,
  deployWorkers,
  experimentOn,
  ledgerFolder,
  planOn,
  podNames,
  podTarget,
  setBudget,
  worldOn,
} from "./support/workers.ts";

const shape = { nodes: 2 };
const limitMs = 240_000;

describeCluster(
  "the built program on a real cluster",
  () => {
    let cluster: Cluster;
    beforeAll(async () => {
      cluster = await startCluster({ ...shape, bundle });
    }, 300_000);
    afterAll(() => cluster?.stop());

    const unschedulable = (node: string) =>
      cluster.kubectl(["get", "node", node, "-o", "jsonpath={.spec.unschedulable}"]);
    const document = ({ stdout }: CliResult) =>
      JSON.parse(stdout) as { readonly outcome: string; readonly notes: readonly string[] };

    /** Ledgers lie in a folder of its own, so that no other test clears them. */
    const program = (folder: string, kubeconfig = cluster.kubeconfigPath) => {
      const options = { env: { KUBECONFIG: kubeconfig, TMPDIR: folder }, limitMs };
      let count = 0;
      const args = (text: string, more: readonly string[]) => {
        const file = join(folder, `experiment-${++count}.yaml`);
        writeFileSync(file, text);
        return ["chaos", "run", file, "--no-baseline", ...more];
      };
      return {
        start: (text: string, ...more: string[]) => startCli(args(text, more), options),
        run: (text: string, ...more: string[]) => runCli(args(text, more), options),
      };
    };

    it("tries a plan on the API server with --dry-run, and says what would be refused", async () => {
      await deployWorkers(cluster, "tried");
      const before = await podNames(cluster, "tried");
      const { run } = program(ledgerFolder());
      const text = experimentOn("tried", [
        `{ fault: kill_pod, params: { by: evict }, ${podTarget("tried", before[0] ?? "")}, at: { time: 0s } }`,
      ]);
      await setBudget(cluster, "tried", 1);
      expect(await run(text, "--dry-run")).toMatchObject({ code: 0 });
      await setBudget(cluster, "tried", 2);
      const refused = await run(text, "--dry-run");
      expect(refused.code).toBe(3);
      expect(refused.stderr).toContain("a disruption budget keeps pod");
      expect(await podNames(cluster, "tried")).toEqual(before);
    }, 300_000);

    it("takes back what a killed runner left, and nothing of one that is at work", async () => {
      for (const namespace of ["left", "other"]) await deployWorkers(cluster, namespace);
      const [name = ""] = await podNames(cluster, "left");
      const client = await connect(cluster.kubeconfigPath);
      const { run, start } = program(ledgerFolder());
      const killed = await start(
        experimentOn(
          "left",
          [
            "{ fault: cordon_node, target: { kubernetesNode: node-1 }, at: { time: 0s }, for: 10m }",
            `{ fault: network_policy, ${podTarget("left", name)}, at: { time: 0s }, for: 10m }`,
          ],
          "limits: { duration: 15m, targets: 2 }",
        ),
      );
      const kinds = async () =>
        (await findLeftovers(client, "left")).map(({ kind }) => kind).toSorted();
      const inForce = ["node", "pod", "policy"];
      await waitUntil("all is in force", async () => (await kinds()).join() === inForce.join(), {
        timeoutMs: 120_000,
      });
      const [other = ""] = await podNames(cluster, "other");
      const elsewhere = experimentOn("other", [
        `{ fault: kill_pod, ${podTarget("other", other)}, at: { time: 0s } }`,
      ]);
      const beside = await run(elsewhere, "--json");
      expect(document(beside), beside.stderr).toMatchObject({ outcome: "pass" });
      expect(await kinds()).toEqual(inForce);

      killed.child.kill("SIGKILL");
      await killed.result;
      expect(await kinds()).toEqual(inForce);
      expect(await unschedulable("node-1")).toBe("true");
      // Even a start that is refused clears what others left.
      const nobody = experimentOn("left", [
        `{ fault: kill_pod, ${podTarget("left", "nobody")}, at: { time: 0s } }`,
      ]);
      const next = await run(nobody);
      expect({ code: next.code, kinds: await kinds() }, next.stderr).toEqual({
        code: 3,
        kinds: [],
      });
      expect(await unschedulable("node-1")).toBe("");
    }, 300_000);

    it("needs the rights of the example, works with them, and names the one that is missing", async () => {
      const objects = manifestOf("rbac.yaml");
      await cluster.apply(...objects);
      await deployWorkers(cluster, "training");
      const kubeconfig = await kubeconfigOf(cluster, { name: "chaos", namespace: "training" });
      const env = { KUBECONFIG: kubeconfig, TMPDIR: ledgerFolder() };
      const example = ["chaos", "run", examplePath("kill-pod.yaml"), "--world", "kubernetes"];
      const whole = await runCli([...example, "--json"], { env, limitMs });
      expect(document(whole), whole.stderr).toMatchObject({ outcome: "pass" });

      const client = await connect(kubeconfig);
      const world = worldOn(client);
      const before = await podNames(cluster, "training");
      const [name = ""] = before;
      const target = podTarget("training", name);
      const asked = planOn("training", [
        `{ fault: kill_pod, ${target}, at: { time: 0s } }`,
        `{ fault: kill_pod, params: { by: evict }, ${target}, at: { time: 0s } }`,
        `{ fault: network_policy, ${target}, at: { time: 0s }, for: 1s }`,
        "{ fault: cordon_node, target: { kubernetesNode: node-1 }, at: { time: 0s }, for: 1s }",
      ]);
      const plan = { ...asked, workload: { ...asked.workload, progress: true } as never };
      const { signal } = new AbortController();
      // Not for the run itself: evidence where there is none otherwise, and what a probe reads.
      const optional = new Set(["pods/proxy", "deployments"]);
      let tried = 0;
      for (const role of rolesOf(objects)) {
        for (const { resource, verb, left } of withoutEach(role)) {
          if (optional.has(resource)) continue;
          await cluster.apply(left);
          const said = new RegExp(`we may not ${verb} ${resource}(?![\\w/])[^,]*$`);
          // Asked without doing anything, because the role that is looked at may still be the whole one.
          await waitUntil(`${verb} ${resource} is missing, and named`, async () =>
            said.test(await refusalOf(dryRunOnCluster(plan, { client }, signal))),
          );
          expect(await refusalOf(world.run(plan, { signal }))).toMatch(said);
          tried++;
        }
        await cluster.apply(role);
      }
      expect(tried).toBe(14);
      expect(await podNames(cluster, "training")).toEqual(before);
      expect(await unschedulable("node-1")).toBe("");
      const admin = await connect(cluster.kubeconfigPath);
      expect(await findLeftovers(admin, "training")).toEqual([]);
    }, 400_000);
  },
  shape,
);

async function refusalOf(call: Promise<unknown>): Promise<string> {
  return call.then(() => "nothing was refused", messageOf);
}
