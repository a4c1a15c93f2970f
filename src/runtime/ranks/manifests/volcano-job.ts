import type { Manifest, ResolvedRankJob } from "./rank-job-manifests.ts";
import { rankLabel, rankPod } from "./rank-pod.ts";

/** All ranks start together or not at all; the plug-ins give them names and numbers. */
export function volcanoJob(job: ResolvedRankJob): Manifest {
  const { name, namespace, ranks, deadlineSeconds } = job;
  const pod = rankPod(job, `${name}-rank-0.${name}`);
  return {
    apiVersion: "batch.volcano.sh/v1alpha1",
    kind: "Job",
    metadata: { name, namespace, labels: { [rankLabel]: name } },
    spec: {
      schedulerName: "volcano",
      minAvailable: ranks,
      maxRetry: 0,
      ttlSecondsAfterFinished: 86_400,
      plugins: { env: [], svc: ["--publish-not-ready-addresses=true"] },
      policies: [{ event: "PodFailed", action: "AbortJob" }],
      tasks: [
        {
          name: "rank",
          replicas: ranks,
          policies: [{ event: "TaskCompleted", action: "CompleteJob" }],
          template: { ...pod, spec: { ...pod.spec, activeDeadlineSeconds: deadlineSeconds } },
        },
      ],
    },
  };
}
