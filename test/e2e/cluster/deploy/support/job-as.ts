import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Cluster } from "../../../../cluster/fixture.ts";
import { waitUntil } from "../../../../support/wait-until.ts";
import { jobsNamespace, namespace } from "./release.ts";

/** A job whose pod would be root on its node. */
export const takeoverJob = {
  apiVersion: "batch/v1",
  kind: "Job",
  metadata: { name: "takeover", namespace: jobsNamespace },
  spec: {
    backoffLimit: 0,
    template: {
      spec: {
        restartPolicy: "Never",
        hostPID: true,
        containers: [
          {
            name: "takeover",
            image: "tessera:test",
            imagePullPolicy: "Never",
            command: ["chroot", "/host", "id"],
            securityContext: { privileged: true },
            volumeMounts: [{ name: "host", mountPath: "/host" }],
          },
        ],
        volumes: [{ name: "host", hostPath: { path: "/" } }],
      },
    },
  },
} as const;

/**
 * Makes a job with the rights of the submitter, which the API server takes whatever its pod is, and waits
 * for what the job controller makes of it.
 *
 * @returns the event's sentence: that a pod was made, or why none was
 */
export async function jobBySubmitter(cluster: Cluster, job: object): Promise<string> {
  const path = join(mkdtempSync(join(tmpdir(), "tessera-job-")), "job.json");
  writeFileSync(path, JSON.stringify(job));
  const submitter = `system:serviceaccount:${namespace}:tessera-submitter`;
  const created = ["create", "-f", path, `--as=${submitter}`, "-o", "jsonpath={.metadata.name}"];
  const name = await cluster.kubectl(created);
  const filter = `involvedObject.kind=Job,involvedObject.name=${name}`;
  const events = ["-n", jobsNamespace, "get", "events", `--field-selector=${filter}`];
  let told = "";
  await waitUntil(`something comes of job ${name}`, async () => {
    told = await cluster.kubectl([...events, "-o", "jsonpath={.items[*].message}"]);
    return told !== "";
  });
  return told;
}
