import type { JobPhase, JobView } from "../../cluster.ts";
import type { OwnPod } from "./own-pod.ts";
import type { JobSummary } from "./project-job.ts";

/** What is known of the node a job is for. */
export type NodeOfJob =
  | { readonly state: "ready" }
  | { readonly state: "not-ready"; readonly why: string }
  /** There is no such node any more. */
  | { readonly state: "gone" }
  /** It is not among those looked at; perhaps its labels have changed. */
  | { readonly state: "unseen" };

/**
 * Where a job stands, from the job, its pod and its node. Does not wait for a pod to end that nothing
 * can end: on a node that is gone or does not answer, the job has failed.
 */
export function jobView(job: JobSummary, pods: readonly OwnPod[], node: NodeOfJob): JobView {
  const pod = newest(pods);
  const { phase, detail } = standing(job, pod, node);
  return {
    name: job.name,
    runId: job.runId,
    node: job.node,
    phase,
    createdAtMs: job.createdAtMs,
    ...(pod?.startedAtMs === undefined ? {} : { startedAtMs: pod.startedAtMs }),
    ...(detail === undefined ? {} : { detail }),
  };
}

interface Standing {
  readonly phase: JobPhase;
  readonly detail?: string | undefined;
}

function standing(job: JobSummary, pod: OwnPod | undefined, node: NodeOfJob): Standing {
  if (job.stage === "deleting") return { phase: "gone" };
  if (job.stage === "succeeded") return { phase: "succeeded" };
  if (job.stage === "failed") {
    const detail = pod?.stage === "failed" ? pod.detail : undefined;
    return { phase: "failed", detail: detail ?? withNode(job, node) };
  }
  if (pod?.stage === "succeeded") return { phase: "succeeded" };
  if (pod?.stage === "failed") return { phase: "failed", detail: pod.detail };
  if (node.state === "gone") return { phase: "failed", detail: nodeText(job, node) };
  if (pod?.ending === true && node.state !== "ready") {
    const detail = `its pod is being ended; ${nodeText(job, node)}`;
    return { phase: "failed", detail };
  }
  const trouble = node.state === "not-ready" ? nodeText(job, node) : undefined;
  if (pod === undefined) {
    return { phase: "pending", detail: job.detail ?? trouble ?? "it has no pod yet" };
  }
  const ending = pod.ending ? "its pod is being ended" : undefined;
  if (pod.stage === "running") return { phase: "running", detail: trouble ?? ending };
  return { phase: "pending", detail: trouble ?? pod.detail };
}

function withNode(job: JobSummary, node: NodeOfJob): string | undefined {
  const about = node.state === "ready" || node.state === "unseen" ? [] : [nodeText(job, node)];
  const all = [...(job.detail === undefined ? [] : [job.detail]), ...about];
  return all.length === 0 ? undefined : all.join("; ");
}

function nodeText(job: JobSummary, node: NodeOfJob): string {
  if (node.state === "gone") return `node ${job.node} has left the cluster`;
  if (node.state === "not-ready") return `node ${job.node} is not ready: ${node.why}`;
  return `node ${job.node} is not among the nodes looked at`;
}

/** There is one, unless somebody made the job's pod anew. */
function newest(pods: readonly OwnPod[]): OwnPod | undefined {
  return pods.reduce<OwnPod | undefined>(
    (best, pod) => (best === undefined || pod.createdAtMs >= best.createdAtMs ? pod : best),
    undefined,
  );
}
