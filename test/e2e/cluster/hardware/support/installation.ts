import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { hardwareManifestFiles } from "../../../../../src/hardware/deployment/index.ts";
import { marks } from "../../../../../src/hardware/objects/index.ts";
import type { Cluster } from "../../../../cluster/fixture.ts";
import { distDir, type RunningCli, startCli } from "../../../../support/built-cli.ts";
import { waitUntil } from "../../../../support/wait-until.ts";
import { controlFolderOf } from "./node-folders.ts";

export const underTest = "shop";
const installed = "tessera-hardware";

/** Our programs on this machine, with the rights that they have in a cluster and no others. */
export interface Installation {
  readonly apiUrl: string;
  readonly api: RunningCli;
  readonly agents: ReadonlyMap<string, RunningCli>;
  /** The token of somebody who may test in the namespace under test. */
  readonly runnerToken: string;
  readonly runnerKubeconfig: string;
  /** The file that stands for a node's kernel log. */
  kernelLogOf(node: string): string;
  stop(): Promise<void>;
}

/** Installs CRD, roles and policies, and starts a fault API and an agent for each node. */
export async function install(
  cluster: Cluster,
  folder: string,
  options: { readonly nodes: readonly string[]; readonly detector: "cordon" | "drain" },
): Promise<Installation> {
  const { nodes, detector } = options;
  await cluster.apply({
    apiVersion: "v1",
    kind: "Namespace",
    metadata: { name: underTest, labels: { [marks.namespaceOptIn]: marks.optInValue } },
  });
  for (const node of nodes) {
    await cluster.kubectl(["label", "node", node, `${marks.nodeOptIn}=${marks.optInValue}`]);
  }
  await applyManifests(cluster, detector);
  const runner = await accountConfig(cluster, folder, { account: "runner", namespace: underTest });
  const api = await startApi(cluster, folder);
  const agents = new Map<string, RunningCli>();
  const kernelLogOf = (node: string) => join(folder, `${node}.kmsg`);
  for (const node of nodes) {
    agents.set(node, await startAgent(cluster, folder, { node, detector, kernelLogOf }));
  }
  const apiUrl = await urlOf(api);
  return {
    apiUrl,
    api,
    agents,
    runnerToken: runner.token,
    runnerKubeconfig: runner.path,
    kernelLogOf,
    stop: async () => {
      for (const { child, result } of [api, ...agents.values()]) {
        child.kill("SIGTERM");
        await result;
      }
    },
  };
}

/** Everything but the pods: those are processes of this machine here. */
async function applyManifests(cluster: Cluster, detector: "cordon" | "drain"): Promise<void> {
  const files = hardwareManifestFiles({
    image: "tessera:test",
    namespacesUnderTest: [underTest],
    detector,
  });
  const isWanted = (name: string) => /^(00|10|20)-|^under-test\//.test(name);
  for (const { objects } of files.filter(({ name }) => isWanted(name))) {
    await cluster.apply(...objects);
  }
  await cluster.kubectl([
    "wait",
    "--for=condition=Established",
    "crd",
    "hardwarefaults.tessera.dev",
  ]);
  const account = ["-n", underTest, "create", "serviceaccount", "runner"];
  await cluster.kubectl(account);
  const subject = `--serviceaccount=${underTest}:runner`;
  const role = "--clusterrole=tessera-hardware-runner";
  await cluster.kubectl(["-n", underTest, "create", "rolebinding", "runner", role, subject]);
  const nodes = "--clusterrole=tessera-hardware-runner-nodes";
  await cluster.kubectl(["create", "clusterrolebinding", "runner", nodes, subject]);
}

/** A kubeconfig with the token of a service account, as its pod would have it. */
async function accountConfig(
  cluster: Cluster,
  folder: string,
  about: { readonly account: string; readonly namespace: string; readonly node?: string },
): Promise<{ readonly path: string; readonly token: string }> {
  const { account, namespace, node } = about;
  // A pod's token names the node that it runs on; the admission policy of agents asks for that.
  const bound =
    node === undefined ? [] : ["--bound-object-kind=Node", `--bound-object-name=${node}`];
  const create = ["-n", namespace, "create", "token", account, "--duration=2h", ...bound];
  const token = (await cluster.kubectl(create)).trim();
  const view = ["config", "view", "--raw", "--minify", "-o", "json"];
  const config = JSON.parse(await cluster.kubectl(view)) as {
    readonly clusters: readonly { readonly name: string }[];
  };
  const path = join(folder, `${account}${node === undefined ? "" : `-${node}`}.kubeconfig.json`);
  const context = { cluster: config.clusters[0]?.name ?? "", user: account, namespace };
  const text = JSON.stringify({
    apiVersion: "v1",
    kind: "Config",
    clusters: config.clusters,
    users: [{ name: account, user: { token } }],
    contexts: [{ name: account, context }],
    "current-context": account,
  });
  writeFileSync(path, text, { mode: 0o600 });
  return { path, token };
}

const script = join(distDir, "bundle", "tessera.mjs");
/** Longer than any file of tests takes. */
export const serverLimitMs = 3_600_000;

async function startApi(cluster: Cluster, folder: string): Promise<RunningCli> {
  const about = { account: "tessera-fault-api", namespace: installed };
  const { path } = await accountConfig(cluster, folder, about);
  const args = [
    "fault-api",
    "--port",
    "0",
    "--namespace",
    installed,
    "--max-percent",
    "50",
    "--cooldown",
    "0s",
  ];
  const store = ["--store", `sqlite:${join(folder, "fault-api.db")}`];
  return await startCli([...args, ...store], {
    script,
    env: { KUBECONFIG: path },
    limitMs: serverLimitMs,
  });
}

/** The address that the API prints once it listens. */
async function urlOf(api: RunningCli): Promise<string> {
  const address = /http:\/\/127\.0\.0\.1:\d+/;
  const text = await api.untilStdout((printed) => address.test(printed));
  return address.exec(text)?.[0] ?? "";
}

async function startAgent(
  cluster: Cluster,
  folder: string,
  about: {
    readonly node: string;
    readonly detector: string;
    readonly kernelLogOf: (node: string) => string;
  },
): Promise<RunningCli> {
  const { node, detector, kernelLogOf } = about;
  const account = { account: "tessera-agent", namespace: installed, node };
  const { path } = await accountConfig(cluster, folder, account);
  const controlFolder = controlFolderOf(cluster, node);
  mkdirSync(controlFolder, { recursive: true });
  writeFileSync(kernelLogOf(node), "", { flag: "a" });
  const procFolder = join(folder, `${node}-proc`);
  const gpu = join(procFolder, "gpus", "0000:3b:00.0");
  mkdirSync(gpu, { recursive: true });
  writeFileSync(join(gpu, "information"), "Model: \t\t NVIDIA H100\nDevice Minor: \t 0\n");
  const agent = await startCli(
    [
      ...["agent", "--node", node, "--detector", detector],
      ...["--control-folder", controlFolder, "--kernel-log", kernelLogOf(node)],
      ...["--proc-folder", procFolder],
    ],
    { script, env: { KUBECONFIG: path }, limitMs: serverLimitMs },
  );
  await agent.untilStdout((printed) => printed.includes("is ready"));
  return agent;
}

/** The faults that are in force, by name and state. */
export async function liveFaults(cluster: Cluster): Promise<readonly string[]> {
  const fields = "jsonpath={range .items[*]}{.metadata.name} {.status.state}{'\\n'}{end}";
  const text = await cluster.kubectl(["-n", installed, "get", "hardwarefaults", "-o", fields]);
  return text.split("\n").filter((line) => line !== "" && !/ (reverted|failed)$/.test(line));
}

/** Waits until nothing is in force. */
export async function untilRestored(
  cluster: Cluster,
  options: { readonly timeoutMs?: number } = {},
): Promise<void> {
  const none = async () => (await liveFaults(cluster)).length === 0;
  await waitUntil("every fault is taken back", none, { timeoutMs: 60_000, ...options });
}
