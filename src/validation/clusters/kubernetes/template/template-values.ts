import type { JobRequest } from "../../cluster.ts";
import type { ResolvedKubernetesSettings } from "../settings.ts";
import type { Json, PlaceholderValues } from "./placeholders.ts";

/** Cordoned nodes carry this taint; the scheduler puts only pods there that tolerate it. */
const toleratesCordon = {
  key: "node.kubernetes.io/unschedulable",
  operator: "Exists",
  effect: "NoSchedule",
} as const;

/** How long a check may take to notice its own time limit before the pod is ended. */
const graceSeconds = 60;

export interface ValueOptions {
  readonly request: JobRequest;
  readonly settings: ResolvedKubernetesSettings;
  /** The node is closed and waits to be accepted. */
  readonly cordoned: boolean;
}

/** What the placeholders stand for in the job of one run. */
export function templateValues(options: ValueOptions): PlaceholderValues {
  const { request, settings } = options;
  const { intent } = request;
  const runSeconds = Math.ceil(request.runTimeoutMs / 1000) + graceSeconds;
  const { gpuResource, rdma, results, runAsUser } = settings;
  const hasGpus = gpuResource !== null && intent.gpus > 0;
  const waitSeconds = Math.ceil(settings.pendingAllowanceMs / 1000);
  return {
    jobName: intent.jobName,
    namespace: settings.namespace,
    runId: intent.id,
    cluster: intent.cluster,
    node: intent.node,
    check: intent.check,
    purpose: intent.purpose,
    plannedAt: plannedAtSeconds(request),
    image: settings.image,
    imagePullPolicy: settings.imagePullPolicy,
    imagePullSecrets: settings.imagePullSecrets.map((name) => ({ name })),
    command: settings.command,
    env: environmentOf(request, settings),
    gpuResource: hasGpus ? gpuResource : undefined,
    gpus: hasGpus ? intent.gpus : undefined,
    cpu: settings.cpu,
    memory: settings.memory,
    shmSize: settings.shmSize,
    rdmaResource: rdma?.resource,
    rdmaDevices: rdma?.devices,
    priorityClass: settings.priorityClass,
    runtimeClass: settings.runtimeClass,
    serviceAccount: settings.serviceAccount,
    queue: settings.queue,
    tolerations: [
      ...settings.tolerations.map((toleration) => ({ ...toleration })),
      ...(options.cordoned ? [toleratesCordon] : []),
    ],
    runAsUser,
    runAsNonRoot: runAsUser !== 0,
    resultsVolume: resultsVolume(results),
    resultsMount:
      results.kind === "none" ? undefined : { name: "results", mountPath: results.mountPath },
    runSeconds,
    deadlineSeconds: runSeconds + waitSeconds,
    ttlSeconds: Math.ceil(settings.keepFinishedMs / 1000),
  };
}

function environmentOf(
  request: JobRequest,
  { results }: ResolvedKubernetesSettings,
): readonly Json[] {
  const { intent } = request;
  const variables: Readonly<Record<string, string | undefined>> = {
    TESSERA_RUN_ID: intent.id,
    TESSERA_RUN_TOKEN: request.token,
    TESSERA_RESULT_URL: request.resultUrl,
    TESSERA_RESULT_DIR: results.kind === "none" ? undefined : results.mountPath,
    TESSERA_NODE: intent.node,
    TESSERA_CHECK: intent.check,
    TESSERA_CLUSTER: intent.cluster,
    TESSERA_PLANNED_AT: String(plannedAtSeconds(request)),
    TESSERA_RUN_TIMEOUT_MS: String(request.runTimeoutMs),
    TESSERA_CHECK_OPTIONS: JSON.stringify(request.checkOptions),
  };
  return Object.entries(variables).flatMap(([name, value]) =>
    value === undefined ? [] : [{ name, value: literal(value) }],
  );
}

/** The kubelet puts other variables in the place of `$(NAME)`; a doubled sign is a sign. */
function literal(value: string): string {
  return value.replaceAll("$(", "$$$$(");
}

function plannedAtSeconds({ intent }: JobRequest): number {
  return Math.floor(intent.plannedAtMs / 1000);
}

function resultsVolume(results: ResolvedKubernetesSettings["results"]): Json | undefined {
  if (results.kind === "none") return undefined;
  if (results.kind === "host-path") {
    return { name: "results", hostPath: { path: results.path, type: "Directory" } };
  }
  return { name: "results", persistentVolumeClaim: { claimName: results.claimName } };
}
