import type { PodObject } from "../../objects/index.ts";

/**
 * How node-drainer empties a node, by namespace: `AllowCompletion` waits for ever and evicts nobody,
 * `Immediate` asks for eviction (disruption budgets are respected), `DeleteAfterTimeout` deletes
 * without grace when its time is up.
 */
export type DrainMode = "AllowCompletion" | "Immediate" | "DeleteAfterTimeout";

export interface DrainSettings {
  /** The first that matches counts; `*` in a name is anything. @default everything AllowCompletion */
  readonly namespaces: readonly { readonly name: string; readonly mode: DrainMode }[];
  /** From the event on. @default 3_600_000 */
  readonly deleteAfterMs: number;
  /** Pods that are not ready for longer are left out, and do not hold the drain up. @default 300_000 */
  readonly notReadyMs: number;
  /** Given to pods that are evicted. @default 60 */
  readonly evictionGraceSeconds: number;
}

/** As NVSentinel's chart has it. */
export const drainDefaults: DrainSettings = {
  namespaces: [{ name: "*", mode: "AllowCompletion" }],
  deleteAfterMs: 3_600_000,
  notReadyMs: 300_000,
  evictionGraceSeconds: 60,
};

/** Pods of these are never touched. */
const systemNamespaces =
  /^(?:nvsentinel|kube-system|gpu-operator|gmp-system|network-operator|skyhook)$/;
const terminationGraceSecondsDefault = 30;

/** What the drainer reads of a pod. */
export interface DrainPod extends PodObject {
  readonly spec?: PodObject["spec"] & { readonly terminationGracePeriodSeconds?: number };
  readonly status?: PodObject["status"] & {
    readonly conditions?: readonly PodCondition[];
  };
}

interface PodCondition {
  readonly type: string;
  readonly status: string;
  readonly lastTransitionTime?: string;
}

/** What is to be done next on a node. */
export type DrainStep =
  | { readonly kind: "done" }
  | { readonly kind: "evict"; readonly pods: readonly DrainPod[] }
  | { readonly kind: "delete"; readonly pods: readonly DrainPod[] }
  | {
      readonly kind: "wait";
      readonly pods: readonly DrainPod[];
      /** Of the Kubernetes Event that it writes meanwhile. */
      readonly reason: "AwaitingPodCompletion" | "WaitingBeforeForceDelete";
    };

/** Decides the next step: first who is evicted, then who has a deadline, at last who may finish. */
export function nextDrainStep(
  pods: readonly DrainPod[],
  about: {
    readonly settings: DrainSettings;
    /** When the event came that closed the node. */
    readonly eventAtMs: number;
    readonly nowMs: number;
  },
): DrainStep {
  const { settings, eventAtMs, nowMs } = about;
  const drained = pods.filter((pod) => skipReason(pod, settings, nowMs) === undefined);
  const of = (mode: DrainMode) =>
    drained.filter((pod) => drainModeOf(pod.metadata.namespace ?? "", settings) === mode);
  const immediate = of("Immediate");
  if (immediate.length > 0) return { kind: "evict", pods: immediate };
  const timed = of("DeleteAfterTimeout");
  if (timed.length > 0) {
    if (nowMs >= eventAtMs + settings.deleteAfterMs) return { kind: "delete", pods: timed };
    return { kind: "wait", pods: timed, reason: "WaitingBeforeForceDelete" };
  }
  const patient = of("AllowCompletion");
  if (patient.length > 0) return { kind: "wait", pods: patient, reason: "AwaitingPodCompletion" };
  return { kind: "done" };
}

/** Why a pod is left out of a drain; undefined for one that is drained. */
export function skipReason(
  pod: DrainPod,
  settings: DrainSettings,
  nowMs: number,
): string | undefined {
  const { namespace = "", ownerReferences = [], deletionTimestamp } = pod.metadata;
  if (systemNamespaces.test(namespace)) return "a system namespace";
  if (drainModeOf(namespace, settings) === undefined) return "no rule for its namespace";
  if (ownerReferences.some(({ kind }) => kind === "DaemonSet")) return "a DaemonSet's";
  const phase = pod.status?.phase;
  if (phase === "Succeeded" || phase === "Failed") return "it has ended";
  const graceSeconds = pod.spec?.terminationGracePeriodSeconds ?? terminationGraceSecondsDefault;
  if (
    deletionTimestamp !== undefined &&
    nowMs > Date.parse(deletionTimestamp) + graceSeconds * 1000
  )
    return "stuck while terminating";
  const conditions: readonly PodCondition[] = pod.status?.conditions ?? [];
  const unready = conditions.find(({ type, status }) => type === "Ready" && status === "False");
  const since = Date.parse(unready?.lastTransitionTime ?? "");
  if (!Number.isNaN(since) && since + settings.notReadyMs < nowMs) return "not ready for too long";
  return undefined;
}

/** The mode for pods of a namespace; undefined where no rule matches. */
export function drainModeOf(namespace: string, settings: DrainSettings): DrainMode | undefined {
  return settings.namespaces.find(({ name }) => matchesGlob(name, namespace))?.mode;
}

function matchesGlob(glob: string, name: string): boolean {
  const parts = glob.split("*").map((part) => part.replace(/[.+?^${}()|[\]\\]/g, "\\$&"));
  return new RegExp(`^${parts.join(".*")}$`).test(name);
}

/** The values of the state label that the drainer sets. */
export type DrainState = "draining" | "drain-succeeded" | "drain-failed";
