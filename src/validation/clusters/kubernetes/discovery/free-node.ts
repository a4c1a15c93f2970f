import { formatBytes } from "../../../../platform/units/index.ts";
import type { NotFreeCode, NotFreeReason } from "../../cluster.ts";
import type { Taint } from "../objects.ts";
import { type Amounts, none, sum } from "./amounts.ts";
import type { JobNeeds } from "./job-needs.ts";
import { selectorMismatch } from "./node-affinity.ts";
import type { NodeSummary } from "./project-node.ts";
import type { PodSummary } from "./project-pod.ts";
import { taintText, untolerated } from "./tolerations.ts";

export interface FreeNodeInput {
  readonly node: NodeSummary;
  /** Pods that were given to the node, by `namespace/name`. */
  readonly pods: ReadonlyMap<string, PodSummary>;
  /** Names of jobs of ours that are made for the node and have not ended. */
  readonly openJobs: readonly string[];
  readonly needs: JobNeeds;
}

/** GPUs that a node offers to jobs. */
export function gpusOf(node: NodeSummary, needs: JobNeeds): number {
  return needs.gpuResource === null ? 0 : (node.allocatable[needs.gpuResource] ?? 0);
}

/** Every reason why a job cannot be started on a node now; none when it is free. */
export function whyNotFree(input: FreeNodeInput): readonly NotFreeReason[] {
  const { node, needs } = input;
  return [
    ...aboutNode(node, needs),
    ...aboutTaints(node, needs),
    ...aboutGpus(input),
    ...aboutTests(input),
    ...aboutRoom(input),
  ];
}

function aboutNode(node: NodeSummary, needs: JobNeeds): NotFreeReason[] {
  const reasons: NotFreeReason[] = [];
  if (needs.excludedNodes.has(node.name)) {
    reasons.push(because("excluded", "the configuration excludes it"));
  }
  if (node.excluded) reasons.push(because("excluded", "its label tessera.dev/exclude says so"));
  const mismatch = selectorMismatch(needs.selectors(node.name), node);
  if (mismatch !== undefined) reasons.push(because("excluded", mismatch));
  if (node.leaving) reasons.push(because("leaving", "it is being deleted"));
  if (node.notReady !== undefined) reasons.push(because("not-ready", node.notReady));
  if (node.cordoned && !node.awaitsAcceptance) {
    const by = node.cordonedBy === undefined ? "" : ` by ${node.cordonedBy}`;
    reasons.push(because("cordoned", `it is closed to new pods${by}`));
  }
  return reasons;
}

const leavingTaints: ReadonlySet<string> = new Set([
  "ToBeDeletedByClusterAutoscaler",
  "karpenter.sh/disrupted",
  "node.cloudprovider.kubernetes.io/shutdown",
]);

/** Taints that only repeat a reason given already. */
function repeats({ key }: Taint, node: NodeSummary): boolean {
  if (key === "node.kubernetes.io/unschedulable") return node.cordoned;
  const aboutReadiness =
    key === "node.kubernetes.io/not-ready" || key === "node.kubernetes.io/unreachable";
  return aboutReadiness && node.notReady !== undefined;
}

function aboutTaints(node: NodeSummary, needs: JobNeeds): NotFreeReason[] {
  return untolerated(node.taints, needs.tolerations)
    .filter((taint) => !repeats(taint, node))
    .map((taint) =>
      because(
        leavingTaints.has(taint.key) ? "leaving" : "tainted",
        `the job does not tolerate taint ${taintText(taint)}`,
      ),
    );
}

function aboutGpus({ node, pods, needs }: FreeNodeInput): NotFreeReason[] {
  const { gpuResource } = needs;
  const gpus = gpusOf(node, needs);
  const reasons: NotFreeReason[] = [];
  if (gpuResource !== null && gpus === 0) {
    reasons.push(because("no-gpu", `it offers no ${gpuResource}${sliced(node, needs)}`));
  }
  const wanted = gpuResource === null ? 0 : (needs.requests(gpus)[gpuResource] ?? 0);
  if (gpus > 0 && wanted > gpus) {
    reasons.push(because("no-gpu", `the job asks for ${wanted} ${gpuResource}, it offers ${gpus}`));
  }
  const holders: string[] = [];
  for (const [name, pod] of pods) {
    if (pod.ended || pod.own !== undefined) continue;
    const held = heldText(pod, gpus, needs);
    if (held !== undefined) holders.push(`pod ${name} holds ${held}`);
  }
  if (holders.length > 0) reasons.push(because("busy", firstFew(holders)));
  return reasons;
}

function sliced({ allocatable }: NodeSummary, needs: JobNeeds): string {
  const others = Object.keys(allocatable)
    .filter((name) => needs.isGpu(name) && (allocatable[name] ?? 0) > 0)
    .map((name) => `${allocatable[name]} ${name}`);
  return others.length === 0 ? "" : `, only ${others.join(" and ")}`;
}

function heldText(pod: PodSummary, gpus: number, needs: JobNeeds): string | undefined {
  for (const name in pod.requests) {
    const amount = pod.requests[name] ?? 0;
    if (amount === 0 || !needs.isGpu(name)) continue;
    return name === needs.gpuResource ? `${amount} of ${gpus} GPUs` : `${amount} ${name}`;
  }
  return pod.claims ? "devices by claim, which may be GPUs" : undefined;
}

function aboutTests({ pods, openJobs }: FreeNodeInput): NotFreeReason[] {
  if (openJobs.length > 0) {
    return [because("under-test", firstFew(openJobs.map((job) => `job ${job} of ours is open`)))];
  }
  for (const [name, { own, ended }] of pods) {
    if (own !== undefined && !ended) return [because("under-test", `pod ${name} of ours is there`)];
  }
  return [];
}

function aboutRoom({ node, pods, needs }: FreeNodeInput): NotFreeReason[] {
  let used: Amounts = none;
  let count = 0;
  for (const pod of pods.values()) {
    if (pod.ended) continue;
    count++;
    used = sum(used, pod.requests);
  }
  const reasons: NotFreeReason[] = [];
  const podsMax = node.allocatable["pods"] ?? 0;
  if (count + 1 > podsMax) reasons.push(because("busy", `it has ${count} of ${podsMax} pods`));
  const requests = needs.requests(gpusOf(node, needs));
  for (const name in requests) {
    const wanted = requests[name] ?? 0;
    const has = node.allocatable[name] ?? 0;
    const left = has - (used[name] ?? 0);
    if (wanted === 0 || needs.isGpu(name) || wanted <= left) continue;
    const show = (amount: number) => amountText(name, Math.max(0, amount));
    const text = `the job asks for ${show(wanted)} ${unitText(name)}, ${show(left)} of ${show(has)} is left`;
    reasons.push(because(codeOf(name), text));
  }
  return reasons;
}

function codeOf(resource: string): NotFreeCode {
  if (resource === "cpu") return "cpu";
  return resource.includes("/") ? "rdma" : "memory";
}

function unitText(resource: string): string {
  return resource === "cpu" ? "CPU" : resource;
}

function amountText(resource: string, amount: number): string {
  if (resource === "cpu") return String(amount / 1000);
  return resource.includes("/") ? String(amount) : formatBytes(amount);
}

const namedMax = 3;

function firstFew(texts: readonly string[]): string {
  const more = texts.length - namedMax;
  const named = texts.slice(0, namedMax).join(", ");
  return more > 0 ? `${named}, and ${more} more` : named;
}

function because(code: NotFreeCode, text: string): NotFreeReason {
  return { code, text };
}
