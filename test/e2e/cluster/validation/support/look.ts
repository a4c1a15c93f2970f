import { onTestFinished } from "vitest";
import {
  createKubeClient,
  type KubeClient,
  loadKubeConfig,
} from "../../../../../src/platform/kube/index.ts";
import { createLogger } from "../../../../../src/platform/log/index.ts";
import { createRng } from "../../../../../src/platform/rng/index.ts";
import { createRealClock } from "../../../../../src/platform/time/index.ts";
import type { JobView, Cluster as Target } from "../../../../../src/validation/clusters/cluster.ts";
import {
  createKubernetesCluster,
  type KubernetesSettings,
} from "../../../../../src/validation/clusters/kubernetes/index.ts";
import type { Cluster } from "../../../../cluster/fixture.ts";
import { waitUntil } from "../../../../support/wait-until.ts";

const clock = createRealClock();
const random = createRng("kubernetes cluster").stream("tests");
/** For what kubelets, schedulers and controllers do on a busy machine. */
const patience = { timeoutMs: 180_000 };
const kwokToleration = { key: "kwok.x-k8s.io/node", operator: "Exists", effect: "NoSchedule" };

/** A client of the cluster's administrator; the caller closes it. */
export async function connect(cluster: Cluster): Promise<KubeClient> {
  const config = await loadKubeConfig({ path: cluster.kubeconfigPath, env: {}, clock });
  return createKubeClient({ config, clock, random });
}

/** Looks at a cluster as the loop does, until the test ends. */
export function look(
  client: KubeClient,
  settings: Partial<KubernetesSettings> = {},
  more: { readonly name?: string; readonly lines?: string[] } = {},
): Target {
  const { name = "prod", lines = [] } = more;
  const stream = { write: (line: string) => lines.push(line) };
  const target = createKubernetesCluster({
    name,
    client,
    clock,
    random,
    log: createLogger({ level: "info", format: "json", clock, stream }),
    watch: { backoff: { baseMs: 50, maxMs: 500 } },
    settings: {
      image: "tessera:test",
      imagePullPolicy: "Never",
      cpu: "100m",
      memory: "64Mi",
      shmSize: "16Mi",
      command: ["sh", "-c", "exit 0"],
      tolerations: [kwokToleration],
      ...settings,
    },
  });
  target.start();
  onTestFinished(() => target.stop());
  return target;
}

/** Waits until the view can be trusted. */
export function current(target: Target): Promise<void> {
  return waitUntil("the view is current", () => target.view().trust.state === "current");
}

/** Why a node is not free, with the codes. */
export function reasons(target: Target, node: string): readonly string[] {
  const found = target.view().nodes.find(({ name }) => name === node);
  return (found?.notFree ?? []).map(({ code, text }) => `${code}: ${text}`);
}

export function jobOf(target: Target, name: string): JobView | undefined {
  return target.view().jobs.find((job) => job.name === name);
}

export async function untilPhase(
  target: Target,
  name: string,
  phase: JobView["phase"],
): Promise<JobView | undefined> {
  await waitUntil(`job ${name} is ${phase}`, () => jobOf(target, name)?.phase === phase, patience);
  return jobOf(target, name);
}

export async function untilGone(target: Target, name: string): Promise<void> {
  await waitUntil(`job ${name} is gone`, () => jobOf(target, name) === undefined, patience);
}

/** A pod of some user; on KWOK nodes it runs until it is deleted. */
export function userPod(
  name: string,
  nodeName: string,
  requests: Readonly<Record<string, string>>,
  command: readonly string[] = ["sleep", "1000"],
): object {
  return {
    apiVersion: "v1",
    kind: "Pod",
    metadata: { name, namespace: "default" },
    spec: {
      nodeName,
      restartPolicy: "Never",
      terminationGracePeriodSeconds: 0,
      tolerations: [{ operator: "Exists" }],
      containers: [
        {
          name: "main",
          image: "tessera:test",
          imagePullPolicy: "Never",
          command,
          resources: { requests, limits: requests },
        },
      ],
    },
  };
}
