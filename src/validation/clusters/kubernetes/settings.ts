import type { Toleration } from "./objects.ts";

/** Where pods write their results beside posting them. */
export type ResultsVolume =
  | { readonly kind: "none" }
  /** A claim in the namespace of the jobs; many nodes mount it, so it is `ReadWriteMany`. */
  | { readonly kind: "claim"; readonly claimName: string; readonly mountPath: string }
  /** A folder that every node has at the same path, such as a mounted file system. */
  | { readonly kind: "host-path"; readonly path: string; readonly mountPath: string };

/** A job template as a user wrote it. */
export interface TemplateSource {
  /** Its name for people. */
  readonly file: string;
  readonly text: string;
}

/** How a Kubernetes cluster is used. */
export interface KubernetesSettings {
  /** The image of the checks; best by digest (`name@sha256:...`). */
  readonly image: string;
  /** @default "IfNotPresent" */
  readonly imagePullPolicy?: "Always" | "IfNotPresent" | "Never";
  /** Names of secrets with which the image is pulled. @default none */
  readonly imagePullSecrets?: readonly string[];
  /** What the container runs. @default node /app/tessera.mjs agent run-check */
  readonly command?: readonly string[];
  /** Where jobs are made. @default the client's namespace */
  readonly namespace?: string;
  /** Which default template is used: a plain Job, or a Job of Volcano. @default "job" */
  readonly jobKind?: "job" | "volcano";
  /** A template of the user's own; its kind then decides. @default the one of `jobKind` */
  readonly template?: TemplateSource;
  /** Volcano's queue. @default "default" */
  readonly queue?: string;
  /** Only nodes with these labels are looked at, as in kubectl: `gpu=yes,zone!=b`. @default all */
  readonly nodeSelector?: string;
  /** Names of nodes that are never tested. @default none */
  readonly excludedNodes?: readonly string[];
  /** What a job asks for to get the node's GPUs; null where nodes have none. @default "nvidia.com/gpu" */
  readonly gpuResource?: string | null;
  /**
   * Other resources whose holder has a GPU; `*` at the end stands for anything.
   * @default nvidia.com/gpu.shared, nvidia.com/mig-*
   */
  readonly otherGpuResources?: readonly string[];
  /** CPU that a job asks for. @default "8" */
  readonly cpu?: string;
  /** Memory that a job asks for, /dev/shm included. @default "64Gi" */
  readonly memory?: string;
  /** Size of /dev/shm. @default "16Gi" */
  readonly shmSize?: string;
  /** What a job asks for to get at the fabric, such as `rdma/rdma_shared_device_a`. @default nothing */
  readonly rdma?: { readonly resource: string; readonly devices: number };
  /** Labels that name the GPUs' model, first found counts. @default nvidia.com/gpu.product */
  readonly skuLabels?: readonly string[];
  /** Labels that name rack or switch, first found counts. @default topology.kubernetes.io/rack */
  readonly rackLabels?: readonly string[];
  /** Beside those of the template. @default none */
  readonly tolerations?: readonly Toleration[];
  /** A class of low priority, so that users' pods displace checks. @default the cluster's default */
  readonly priorityClass?: string;
  readonly runtimeClass?: string;
  readonly serviceAccount?: string;
  /** The user checks run as; 0 is root. @default 65532 */
  readonly runAsUser?: number;
  /** @default none: results are only posted */
  readonly results?: ResultsVolume;
  /** Whether jobs belong to the leader's Lease, and go when somebody deletes it. @default false */
  readonly ownedByLease?: boolean;
  /** How long the cluster keeps finished jobs. @default 86_400_000 */
  readonly keepFinishedMs?: number;
  /** Without us, the cluster ends a job that is this much older than its run may take. @default 3_600_000 */
  readonly pendingAllowanceMs?: number;
  /** Whether a user's pod that crashes while it holds GPUs is a sign about its node. @default true */
  readonly crashSigns?: boolean;
  /** Whether nodes may be labelled and cordoned. @default true */
  readonly nodeControls?: boolean;
  /** Names of the checks that the image has. @default dl-unit, nccl-loopback, storage-io */
  readonly checks?: readonly string[];
  /** Checks that cannot run here, and why. @default none */
  readonly unavailableChecks?: Readonly<Record<string, string>>;
}

/** Every value filled in, but for those that may be left out. */
export type ResolvedKubernetesSettings = KubernetesSettings &
  Required<Omit<KubernetesSettings, OptionalKeys>>;

type OptionalKeys = "template" | "nodeSelector" | "rdma" | ClassKeys;
type ClassKeys = "priorityClass" | "runtimeClass" | "serviceAccount";

const defaults = {
  imagePullPolicy: "IfNotPresent",
  imagePullSecrets: [],
  command: ["node", "/app/tessera.mjs", "agent", "run-check"],
  jobKind: "job",
  queue: "default",
  excludedNodes: [],
  gpuResource: "nvidia.com/gpu",
  otherGpuResources: ["nvidia.com/gpu.shared", "nvidia.com/mig-*"],
  cpu: "8",
  memory: "64Gi",
  shmSize: "16Gi",
  skuLabels: ["nvidia.com/gpu.product"],
  rackLabels: ["topology.kubernetes.io/rack"],
  tolerations: [],
  runAsUser: 65_532,
  results: { kind: "none" },
  ownedByLease: false,
  keepFinishedMs: 86_400_000,
  pendingAllowanceMs: 3_600_000,
  crashSigns: true,
  nodeControls: true,
  checks: ["dl-unit", "nccl-loopback", "storage-io"],
  unavailableChecks: {},
} as const;

/** Fills in the defaults; `namespace` is the client's. */
export function resolveKubernetesSettings(
  settings: KubernetesSettings,
  client: { readonly namespace: string },
): ResolvedKubernetesSettings {
  return { ...defaults, namespace: client.namespace, ...settings };
}
