import { createRealClock } from "../../../src/platform/time/real-clock.ts";
import { ClusterError } from "../errors.ts";
import type { Cluster } from "../fixture.ts";
import { GiveUp, waitFor } from "../machine/wait.ts";

const clock = createRealClock();

/** A pod that runs our image on a real node with a folder of this machine at /out. */
export function podSpec(cluster: Cluster, command: readonly string[], gpus = 1): object {
  return {
    restartPolicy: "Never",
    containers: [
      {
        name: "main",
        image: "tessera:test",
        imagePullPolicy: "Never",
        command,
        resources: { limits: { "nvidia.com/gpu": gpus } },
        volumeMounts: [{ name: "out", mountPath: "/out" }],
      },
    ],
    volumes: [{ name: "out", hostPath: { path: cluster.volumesDir } }],
  };
}

/** A batch/v1 Job of one such pod; `pod` adds to the pod's specification. */
export function job(
  cluster: Cluster,
  name: string,
  command: readonly string[],
  pod: object = {},
): object {
  const template = { spec: { ...podSpec(cluster, command), ...pod } };
  const spec = { backoffLimit: 0, template };
  return { apiVersion: "batch/v1", kind: "Job", metadata: { name }, spec };
}

/** Waits until a Job is complete; one that failed throws at once, with its pod's output. */
export async function jobComplete(cluster: Cluster, name: string): Promise<void> {
  await waitFor({ clock, what: `job ${name}`, timeoutMs: 120_000, intervalMs: 300 }, async () => {
    const path = 'jsonpath={.status.conditions[?(@.status=="True")].type}';
    const conditions = await cluster.kubectl(["get", "job", name, "-o", path]);
    if (conditions.includes("Failed")) {
      const output = await cluster.kubectl(["logs", `job/${name}`]);
      throw new GiveUp(new ClusterError(`job ${name} failed: ${output.slice(-500)}`));
    }
    return conditions.includes("Complete");
  });
}
