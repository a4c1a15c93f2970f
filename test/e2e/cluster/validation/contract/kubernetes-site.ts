import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import type { Cluster } from "../../../../cluster/fixture.ts";
import { waitUntil } from "../../../../support/wait-until.ts";
import { hasJobEnded } from "../support/job-ledger.ts";
import { userPod } from "../support/look.ts";
import type { Pod } from "../support/pods.ts";
import type { Site, SiteJob } from "./site.ts";

const skuLabel = "example.com/machine";
/** Where pods see the results volume. */
const volume = "/mnt/continuous_validation";
const ends = ["Succeeded", "Failed"];

interface NodeObject {
  readonly metadata: { readonly annotations?: Readonly<Record<string, string>> };
  readonly spec: { readonly unschedulable?: boolean };
}

/** Real nodes of Kubernetes, with plain Jobs or Volcano's. */
export async function createKubernetesSite(
  cluster: Cluster,
  scheduler: "job" | "volcano",
): Promise<Site> {
  const sku = "host";
  await cluster.kubectl(["label", "nodes", "--all", "--overwrite", `${skuLabel}=${sku}`]);
  const shared = join(cluster.volumesDir, scheduler);
  await mkdir(shared);
  const component = cluster.component(scheduler === "job" ? "scheduler" : "volcano-scheduler");
  const listOf = async <Item>(args: readonly string[]): Promise<Item> =>
    JSON.parse(await cluster.kubectl(["get", ...args, "-o", "json"])) as Item;
  return {
    nodes: Array.from({ length: cluster.shape.nodes }, (_, index) => `node-${index + 1}`),
    sku,
    shared,
    hostAddress: cluster.hostAddress,
    seenByJobs: () => volume,
    entry: ({ name, root, url }) => ({
      name,
      kind: "kubernetes",
      kubeconfig: cluster.kubeconfigPath,
      image: "tessera:test",
      scheduler,
      skuLabel,
      cpu: "500m",
      memory: "384Mi",
      shmSize: "16Mi",
      results: { hostPath: root },
      ...(url === undefined ? {} : { resultUrl: url }),
    }),
    jobs: async (name) => {
      const what = scheduler === "job" ? "jobs.batch" : "jobs.batch.volcano.sh";
      const selector = ["-l", `tessera.dev/run-id,tessera.dev/cluster=${name}`];
      const [jobs, pods] = await Promise.all([
        listOf<{ items: readonly JobObject[] }>([what, ...selector]),
        listOf<{ items: readonly LabelledPod[] }>(["pods", ...selector]),
      ]);
      return siteJobs(jobs.items, pods.items);
    },
    userJob: (name, node) => startUserPod(cluster, name, node),
    close: async (node) => void (await cluster.kubectl(["cordon", node])),
    open: async (node) => void (await cluster.kubectl(["uncordon", node])),
    node: async (name) => {
      const { metadata, spec } = await listOf<NodeObject>(["node", name]);
      return {
        closed: spec.unschedulable === true,
        reason: metadata.annotations?.["tessera.dev/cordon-reason"] ?? "",
      };
    },
    holdJobs: async () => {
      await component.kill();
      return () => component.start();
    },
    controller: cluster.component("apiserver"),
    forgetLeader: async (name) => {
      const lease = `tessera-validation-${name}`;
      await cluster.kubectl(["delete", "lease", lease, "--ignore-not-found"]);
    },
  };
}

interface Labelled {
  readonly metadata: { readonly labels: Readonly<Record<string, string>> };
}

type LabelledPod = Pod & Labelled;
type JobObject = Labelled & Parameters<typeof hasJobEnded>[0];

/** A job may have no pod yet, and a pod no job any more. */
function siteJobs(jobs: readonly JobObject[], pods: readonly LabelledPod[]): readonly SiteJob[] {
  const runOf = ({ metadata }: Labelled) => metadata.labels["tessera.dev/run-id"] ?? "";
  const jobOf = new Map(jobs.map((job) => [runOf(job), job]));
  const podOf = new Map(pods.map((pod) => [runOf(pod), pod]));
  return [...new Set([...jobOf.keys(), ...podOf.keys()])].map((runId) => {
    const [job, pod] = [jobOf.get(runId), podOf.get(runId)];
    const hasPodEnded = pod === undefined || ends.includes(pod.status.phase ?? "");
    const hasEnded = (job === undefined || hasJobEnded(job)) && hasPodEnded;
    return { runId, node: pod?.spec.nodeName ?? "", hasEnded };
  });
}

async function startUserPod(cluster: Cluster, name: string, node: string) {
  await cluster.apply(userPod(name, node, { "nvidia.com/gpu": "8" }));
  await waitUntil(`pod ${name} runs`, async () => {
    const path = "jsonpath={.status.phase}";
    return (await cluster.kubectl(["get", "pod", name, "-o", path])) === "Running";
  });
  return {
    name,
    end: async () => {
      await cluster.kubectl(["delete", "pod", name, "--ignore-not-found", "--wait=true"]);
    },
  };
}
