import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { marks } from "../../../../../src/hardware/objects/index.ts";
import type { Cluster } from "../../../../cluster/fixture.ts";
import { repositoryRoot } from "../../../../cluster/machine/repository.ts";
import { distDir, type RunningCli, startCli } from "../../../../support/built-cli.ts";
import { type Installation, install, serverLimitMs, underTest } from "../support/installation.ts";

export const program = join(distDir, "bundle", "tessera.mjs");

/** An installation, and somebody who may run experiments in the namespace under test. */
export interface Ground {
  readonly installation: Installation;
  readonly apiUrl: string;
  stop(): Promise<void>;
}

/** Installs everything; the guard lets both nodes of the cluster be broken at once. */
export async function prepareGround(
  cluster: Cluster,
  folder: string,
  nodes: readonly string[],
): Promise<Ground> {
  for (const node of nodes) addSecondGpu(folder, node);
  const installation = await install(cluster, folder, { nodes, detector: "drain" });
  await cluster.kubectl(["label", "namespace", underTest, "tessera.dev/chaos=allowed"]);
  await cluster.kubectl(["apply", "-f", chaosRights(folder)]);
  const api = await startOwnApi(installation, folder);
  const address = /http:\/\/127\.0\.0\.1:\d+/;
  const printed = await api.untilStdout((text) => address.test(text));
  return {
    installation,
    apiUrl: address.exec(printed)?.[0] ?? "",
    stop: async () => {
      api.child.kill("SIGTERM");
      await api.result;
      await installation.stop();
    },
  };
}

/** An example breaks the second GPU of a node. */
function addSecondGpu(folder: string, node: string): void {
  const gpu = join(folder, `${node}-proc`, "gpus", "0000:86:00.0");
  mkdirSync(gpu, { recursive: true });
  writeFileSync(join(gpu, "information"), "Model: \t\t NVIDIA H100\nDevice Minor: \t 1\n");
}

/** The rights of the example for experiments, for the account that may break hardware. */
function chaosRights(folder: string): string {
  const path = join(repositoryRoot(), "examples", "chaos", "kubernetes", "rbac.yaml");
  const documents = readFileSync(path, "utf8")
    .split(/^---$/m)
    .filter((text) => !/^kind: (Namespace|ServiceAccount)$/m.test(text))
    .map((text) => text.replaceAll("training", underTest).replace("name: chaos,", "name: runner,"));
  const file = join(folder, "rbac.yaml");
  writeFileSync(file, documents.join("---\n"));
  return file;
}

/** With the account of the installation's, whose limits are for one node at a time. */
async function startOwnApi({ api }: Installation, folder: string): Promise<RunningCli> {
  api.child.kill("SIGTERM");
  await api.result;
  const limits = ["--max-percent", "100", "--cooldown", "0s"];
  const store = ["--store", `sqlite:${join(folder, "experiments.db")}`];
  const kubeconfig = join(folder, "tessera-fault-api.kubeconfig.json");
  return await startCli(["fault-api", "--port", "0", ...limits, ...store], {
    script: program,
    env: { KUBECONFIG: kubeconfig },
    limitMs: serverLimitMs,
  });
}

/** The nodes that may be broken on purpose. */
export async function setOptIn(cluster: Cluster, node: string, allowed: boolean): Promise<void> {
  const label = allowed ? `${marks.nodeOptIn}=${marks.optInValue}` : `${marks.nodeOptIn}-`;
  await cluster.kubectl(["label", "node", node, label]);
}
