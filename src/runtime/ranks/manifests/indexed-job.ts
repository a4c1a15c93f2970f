import type { Manifest, ResolvedRankJob } from "./rank-job-manifests.ts";
import { rankLabel, rankPod } from "./rank-pod.ts";

/** Each index is a rank; its host name is `<name>-<index>`, found through the Service. */
export function indexedJob(job: ResolvedRankJob): Manifest {
  const { name, namespace, ranks, deadlineSeconds } = job;
  const pod = rankPod(job, `${name}-0.${name}`);
  return {
    apiVersion: "batch/v1",
    kind: "Job",
    metadata: { name, namespace, labels: { [rankLabel]: name } },
    spec: {
      completionMode: "Indexed",
      completions: ranks,
      parallelism: ranks,
      // A run that lost a rank is over; the others have stopped too.
      backoffLimit: 0,
      activeDeadlineSeconds: deadlineSeconds,
      ttlSecondsAfterFinished: 86_400,
      template: { ...pod, spec: { ...pod.spec, subdomain: name } },
    },
  };
}

/** Gives the pods names, before they are ready: they meet in order to become so. */
export function headlessService({ name, namespace, port }: ResolvedRankJob): Manifest {
  return {
    apiVersion: "v1",
    kind: "Service",
    metadata: { name, namespace, labels: { [rankLabel]: name } },
    spec: {
      clusterIP: "None",
      publishNotReadyAddresses: true,
      selector: { [rankLabel]: name },
      ports: [{ name: "rendezvous", port, targetPort: port }],
    },
  };
}

/** Only ranks of the run reach its ranks. */
export function rankNetworkPolicy({ name, namespace }: ResolvedRankJob): Manifest {
  const ranks = { matchLabels: { [rankLabel]: name } };
  return {
    apiVersion: "networking.k8s.io/v1",
    kind: "NetworkPolicy",
    metadata: { name, namespace, labels: { [rankLabel]: name } },
    spec: {
      podSelector: ranks,
      policyTypes: ["Ingress"],
      ingress: [{ from: [{ podSelector: ranks }] }],
    },
  };
}
