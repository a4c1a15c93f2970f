import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished } from "vitest";
import { parseExperiment } from "../../../../../src/chaos/experiment/file/index.ts";
import { resolveExperiment } from "../../../../../src/chaos/experiment/resolve/index.ts";
import type { KubernetesWorldOptions } from "../../../../../src/chaos/kubernetes/index.ts";
import { createKubernetesWorld, marks } from "../../../../../src/chaos/kubernetes/index.ts";
import type { ChaosPlan } from "../../../../../src/chaos/plan/index.ts";
import type { World } from "../../../../../src/chaos/world.ts";
import type { KubeClient } from "../../../../../src/platform/kube/index.ts";
import type { Cluster } from "../../../../cluster/fixture.ts";
import { distDir } from "../../../../support/built-cli.ts";
import { waitUntil } from "../../../../support/wait-until.ts";
import { clock, random } from "../../kube/support/connect.ts";

/** The CLI as one file, for the image; another one by hand. */
export const bundle = process.env["TESSERA_TEST_BUNDLE"] ?? join(distDir, "bundle", "tessera.mjs");

/** A folder for ledgers, gone when the test ends. */
export function ledgerFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "tessera-chaos-cluster-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

export function worldOn(client: KubeClient, more: Partial<KubernetesWorldOptions> = {}): World {
  return createKubernetesWorld({ client, clock, random, folder: ledgerFolder(), ...more });
}

/** A Deployment of two pods in a namespace of its own, one pod on each real node. */
export async function deployWorkers(
  cluster: Cluster,
  namespace: string,
  options: { readonly allowed?: boolean } = {},
): Promise<void> {
  const labels = options.allowed === false ? {} : { [marks.optIn]: "allowed" };
  await cluster.apply(
    { apiVersion: "v1", kind: "Namespace", metadata: { name: namespace, labels } },
    {
      apiVersion: "apps/v1",
      kind: "Deployment",
      metadata: { name: "workers", namespace },
      spec: {
        replicas: 2,
        selector: { matchLabels: { app: "workers" } },
        template: { metadata: { labels: { app: "workers" } }, spec: podSpec() },
      },
    },
  );
  const areReady = async () => (await podNames(cluster, namespace)).length === 2;
  await waitUntil("both workers are ready", areReady, { timeoutMs: 180_000 });
}

function podSpec(): object {
  return {
    terminationGracePeriodSeconds: 0,
    automountServiceAccountToken: false,
    tolerations: ["not-ready", "unreachable"].map((state) => ({
      key: `node.kubernetes.io/${state}`,
      operator: "Exists",
      effect: "NoExecute",
      tolerationSeconds: 5,
    })),
    containers: [
      {
        name: "main",
        image: "tessera:test",
        imagePullPolicy: "Never",
        command: ["sleep", "3600"],
      },
    ],
  };
}

/** The names of the workers that are ready. */
export async function podNames(cluster: Cluster, namespace: string): Promise<readonly string[]> {
  const ready =
    '{range .items[*]}{.metadata.name} {.status.conditions[?(@.type=="Ready")].status}{"\\n"}{end}';
  const text = await cluster.kubectl(["-n", namespace, "get", "pods", "-o", `jsonpath=${ready}`]);
  return text
    .split("\n")
    .filter((line) => line.endsWith(" True"))
    .map((line) => line.split(" ")[0] ?? "");
}

/** The text of an experiment on these pods; `more` is added to it. */
export function experimentOn(
  namespace: string,
  faults: readonly string[],
  more = "limits: { duration: 4m, targets: 2 }",
): string {
  return `
title: On a real cluster
world: kubernetes
workload: { kind: pods, namespace: ${namespace}, selector: app=workers }
faults:
${faults.map((fault) => `  - ${fault}`).join("\n")}
${more}
`;
}

/** Its plan. */
export function planOn(...about: Parameters<typeof experimentOn>): ChaosPlan {
  const plan = resolveExperiment(parseExperiment(experimentOn(...about), "experiment.yaml"));
  expect(plan.workload.kind).toBe("pods");
  return plan;
}

/** How a fault names a pod. */
export function podTarget(namespace: string, name: string): string {
  return `target: { pod: { namespace: ${namespace}, name: ${name} } }`;
}

/** Pods of a namespace that may leave of their own will: all but so many. */
export async function setBudget(
  cluster: Cluster,
  namespace: string,
  minAvailable: number,
): Promise<void> {
  await cluster.apply({
    apiVersion: "policy/v1",
    kind: "PodDisruptionBudget",
    metadata: { name: "workers", namespace },
    spec: { minAvailable, selector: { matchLabels: { app: "workers" } } },
  });
  const allowed = `${2 - minAvailable}`;
  const read = ["-n", namespace, "get", "pdb", "workers", "-o"];
  const status =
    "jsonpath={.status.disruptionsAllowed} {.status.desiredHealthy} {.status.currentHealthy}";
  const wanted = `${allowed} ${minAvailable} 2`;
  const isWorkedOut = async () => (await cluster.kubectl([...read, status])) === wanted;
  await waitUntil("the budget is worked out", isWorkedOut, { timeoutMs: 180_000 });
}
