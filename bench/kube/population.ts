import { mapConcurrent } from "../../src/platform/concurrency/index.ts";
import { type KubeClient, resourceTypes } from "../../src/platform/kube/index.ts";

export interface Population {
  readonly nodes: number;
  readonly pods: number;
}

const writersMax = 24;

/** Creates nodes and pods of the size that a GPU cluster's have. Nothing runs on them. */
export async function populate(
  client: KubeClient,
  { nodes, pods }: Population,
  log: (text: string) => void,
): Promise<void> {
  const count = progress(nodes + pods, log);
  const indices = (length: number) => Array.from({ length }, (_, index) => index);
  await mapConcurrent(indices(nodes), writersMax, async (index) => {
    await client.create(resourceTypes.nodes, node(index));
    count();
  });
  await mapConcurrent(indices(pods), writersMax, async (index) => {
    await client.create(resourceTypes.pods, pod(index, nodes));
    count();
  });
}

function node(index: number) {
  const name = `gpu-${String(index).padStart(5, "0")}`;
  const capacity = { cpu: "192", memory: "2113530456Ki", pods: "250", "nvidia.com/gpu": "8" };
  const condition = (type: string, status: string) => ({
    type,
    status,
    reason: `Kubelet${type}`,
    message: `kubelet reports ${type} as ${status}`,
  });
  return {
    metadata: {
      name,
      labels: {
        "kubernetes.io/hostname": name,
        "kubernetes.io/arch": "amd64",
        "node.kubernetes.io/instance-type": "gpu-8x",
        "topology.kubernetes.io/zone": `zone-${index % 3}`,
        "nvidia.com/gpu.present": "true",
        "nvidia.com/gpu.product": "H100-SXM5-80GB",
      },
      annotations: { "example.com/rack": `rack-${Math.floor(index / 18)}` },
    },
    spec: { podCIDR: `10.${index % 250}.0.0/24` },
    status: {
      capacity,
      allocatable: capacity,
      conditions: [
        condition("Ready", "True"),
        condition("MemoryPressure", "False"),
        condition("DiskPressure", "False"),
        condition("PIDPressure", "False"),
      ],
      images: Array.from({ length: 10 }, (_, at) => ({
        names: [`registry.example.com/team/image-${at}@sha256:${"0123456789abcdef".repeat(4)}`],
        sizeBytes: 1_000_000 + at,
      })),
    },
  };
}

function pod(index: number, nodes: number) {
  return {
    metadata: {
      name: `worker-${String(index).padStart(6, "0")}`,
      namespace: "default",
      labels: { app: `training-${index % 200}`, "job-name": `job-${index % 200}` },
      annotations: { "example.com/owner": "team-a", "example.com/ticket": `ticket-${index}` },
    },
    spec: {
      nodeName: `gpu-${String(index % nodes).padStart(5, "0")}`,
      containers: [
        {
          name: "main",
          image: "registry.example.com/team/training:2026.1",
          command: ["python", "-m", "train", "--config", "/etc/train/config.yaml"],
          env: Array.from({ length: 12 }, (_, at) => ({
            name: `SETTING_${at}`,
            value: `value-${at}`,
          })),
          resources: { limits: { "nvidia.com/gpu": "1", memory: "64Gi" } },
        },
      ],
    },
  };
}

function progress(total: number, log: (text: string) => void): () => void {
  const step = Math.ceil(total / 5);
  let done = 0;
  return () => {
    done++;
    if (done % step === 0 || done === total) log(`${done} of ${total} objects created`);
  };
}
