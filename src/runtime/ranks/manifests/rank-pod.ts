import type { ResolvedRankJob } from "./rank-job-manifests.ts";

/** Marks the pods of one run. */
export const rankLabel = "tessera.dev/rank-job";
const secretFolder = "/var/run/tessera-ranks";

/** The pod of one rank. @param firstHost the name by which rank 0 is found. */
export function rankPod(job: ResolvedRankJob, firstHost: string) {
  const { name, image, task, ranks, port, userId, cpu, memory, gpus, gpuResource } = job;
  const limits = { cpu, memory, ...(gpus > 0 ? { [gpuResource]: String(gpus) } : {}) };
  return {
    metadata: { labels: { [rankLabel]: name } },
    spec: {
      restartPolicy: "Never",
      terminationGracePeriodSeconds: 10,
      automountServiceAccountToken: false,
      enableServiceLinks: false,
      securityContext: {
        runAsUser: userId,
        runAsGroup: userId,
        runAsNonRoot: true,
        fsGroup: userId,
        seccompProfile: { type: "RuntimeDefault" },
      },
      affinity: { podAntiAffinity: onePerNode(name) },
      ...(gpus > 0
        ? { tolerations: [{ key: gpuResource, operator: "Exists", effect: "NoSchedule" }] }
        : {}),
      containers: [
        {
          name: "rank",
          image,
          args: ["agent", "rank", task],
          env: [
            { name: "HOME", value: "/tmp" },
            { name: "TESSERA_WORLD_SIZE", value: String(ranks) },
            { name: "TESSERA_RENDEZVOUS", value: `${firstHost}:${port}` },
            // Rank 0 listens on its own address and no other.
            {
              name: "TESSERA_RENDEZVOUS_BIND",
              valueFrom: { fieldRef: { fieldPath: "status.podIP" } },
            },
            { name: "TESSERA_RANK_SECRET_FILE", value: `${secretFolder}/secret` },
            { name: "TESSERA_RANK_INPUT", value: JSON.stringify(job.input) },
          ],
          resources: { requests: { cpu, memory }, limits },
          securityContext: {
            allowPrivilegeEscalation: false,
            readOnlyRootFilesystem: true,
            capabilities: { drop: ["ALL"] },
          },
          volumeMounts: [
            { name: "tmp", mountPath: "/tmp" },
            { name: "shm", mountPath: "/dev/shm" },
            { name: "secret", mountPath: secretFolder, readOnly: true },
          ],
        },
      ],
      volumes: [
        { name: "tmp", emptyDir: {} },
        { name: "shm", emptyDir: { medium: "Memory", sizeLimit: memory } },
        { name: "secret", secret: { secretName: name, defaultMode: 0o440 } },
      ],
    },
  };
}

function onePerNode(name: string) {
  return {
    requiredDuringSchedulingIgnoredDuringExecution: [
      {
        topologyKey: "kubernetes.io/hostname",
        labelSelector: { matchLabels: { [rankLabel]: name } },
      },
    ],
  };
}
