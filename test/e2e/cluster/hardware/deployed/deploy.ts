import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { hardwareManifests } from "../../../../../src/hardware/deployment/index.ts";
import { marks, shimPaths } from "../../../../../src/hardware/objects/index.ts";
import type { Cluster } from "../../../../cluster/fixture.ts";
import { controlFolderOf } from "../support/node-folders.ts";
import { kubeconfigWith, tokenOf } from "./accounts.ts";

export const installed = "tessera-hardware";
export const underTest = "shop";

/** Of each node, beside the shim's: what stands for the kernel log and for the driver's files. */
const standIn = join(dirname(shimPaths.hostFolder), "stand-in");

interface Container {
  args: string[];
  readonly volumeMounts: object[];
}
interface Found {
  readonly kind: string;
  readonly metadata: { readonly name: string };
  readonly spec: {
    readonly template: {
      readonly spec: { readonly containers: readonly [Container]; readonly volumes: object[] };
    };
  };
}

/** The file that stands for a node's kernel log, seen from this machine. */
export function kernelLogOf(cluster: Cluster, node: string): string {
  return join(controlFolderOf(cluster, node), "..", "stand-in", "kmsg");
}

/**
 * Applies the shipped manifests to a cluster and waits until every pod is ready. All is as shipped but
 * for the kernel: the plugin hands out a device that swallows everything, and agents use a file.
 */
export async function deploy(
  cluster: Cluster,
  nodes: readonly string[],
  options: { readonly detector: "off" | "drain" },
): Promise<void> {
  for (const node of nodes) {
    prepareStandIn(cluster, node);
    await cluster.kubectl(["label", "node", node, `${marks.nodeOptIn}=${marks.optInValue}`]);
  }
  const objects = hardwareManifests({
    image: "tessera:test",
    namespacesUnderTest: [underTest],
    detector: options.detector,
    // One of two nodes is broken at a time, and the same one soon again.
    faultApiArgs: ["--max-percent=50", "--cooldown=0s"],
  });
  const labels = { [marks.namespaceOptIn]: marks.optInValue };
  const namespace = { apiVersion: "v1", kind: "Namespace", metadata: { name: underTest, labels } };
  await cluster.apply(namespace, ...objects.map(withoutKernel));
  const parts = ["deployment/tessera-fault-api", "ds/tessera-kmsg-device", "ds/tessera-agent"];
  for (const part of parts) {
    const status = ["-n", installed, "rollout", "status", part, "--timeout=150s"];
    await cluster.kubectl(status, { timeoutMs: 180_000 });
  }
}

function prepareStandIn(cluster: Cluster, node: string): void {
  mkdirSync(controlFolderOf(cluster, node), { recursive: true });
  const log = kernelLogOf(cluster, node);
  const gpu = join(dirname(log), "proc", "gpus", "0000:3b:00.0");
  mkdirSync(gpu, { recursive: true });
  writeFileSync(join(gpu, "information"), "Model: \t\t NVIDIA H100\nDevice Minor: \t 0\n");
  writeFileSync(log, "", { flag: "a" });
}

function withoutKernel(object: object): object {
  const copy = structuredClone(object) as Found;
  if (copy.kind !== "DaemonSet") return copy;
  const { containers, volumes } = copy.spec.template.spec;
  const [container] = containers;
  if (copy.metadata.name === "tessera-kmsg-device") {
    container.args = container.args.map((one) => one.replace(/^--path=.*/, "--path=/dev/null"));
    return copy;
  }
  container.args = [
    ...container.args
      .filter((one) => one !== "--allow-kernel-log-device")
      .map((one) => one.replace(/^--kernel-log=.*/, `--kernel-log=${standIn}/kmsg`)),
    `--proc-folder=${standIn}/proc`,
  ];
  container.volumeMounts.push({ name: "stand-in", mountPath: standIn });
  volumes.push({ name: "stand-in", hostPath: { path: standIn, type: "DirectoryOrCreate" } });
  return copy;
}

/** Somebody who may test in the namespace under test, by the shipped roles alone; their kubeconfig. */
export async function addRunner(cluster: Cluster, folder: string): Promise<string> {
  const runner = { name: "runner", namespace: underTest };
  await cluster.kubectl(["-n", underTest, "create", "serviceaccount", runner.name]);
  const subject = `--serviceaccount=${underTest}:runner`;
  const role = "tessera-hardware-runner";
  for (const binding of [
    ["-n", underTest, "create", "rolebinding", "runner", `--clusterrole=${role}`],
    ["-n", installed, "create", "rolebinding", "runner", `--role=${role}-access`],
    ["create", "clusterrolebinding", "runner", `--clusterrole=${role}-nodes`],
  ]) {
    await cluster.kubectl([...binding, subject]);
  }
  const token = await tokenOf(cluster, runner, ["--duration=2h"]);
  return await kubeconfigWith(cluster, folder, { ...runner, token });
}
