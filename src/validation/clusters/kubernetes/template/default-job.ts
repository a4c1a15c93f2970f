import { defaultPod } from "./default-pod.ts";

/** The template of a plain Job. */
export const defaultJobTemplate = `# One check on one node, as a plain Job.
apiVersion: batch/v1
kind: Job
metadata:
  name: "{{jobName}}"
  namespace: "{{namespace}}"
  labels:
    tessera.dev/run-id: "{{runId}}"
    tessera.dev/check: "{{check}}"
spec:
  # A result is a result: nothing is tried again behind our back.
  backoffLimit: 0
  parallelism: 1
  completions: 1
  activeDeadlineSeconds: "{{deadlineSeconds}}"
  ttlSecondsAfterFinished: "{{ttlSeconds}}"
  template:
${indent(defaultPod, 4)}`;

/** The template of a Job of Volcano. */
export const defaultVolcanoTemplate = `# One check on one node, as a Job of Volcano.
apiVersion: batch.volcano.sh/v1alpha1
kind: Job
metadata:
  name: "{{jobName}}"
  namespace: "{{namespace}}"
  labels:
    tessera.dev/run-id: "{{runId}}"
    tessera.dev/check: "{{check}}"
spec:
  schedulerName: volcano
  queue: "{{queue}}"
  priorityClassName: "{{priorityClass}}"
  minAvailable: 1
  # Volcano takes 0 for "not given" and makes it 3. The policies below leave nothing to retry.
  maxRetry: 1
  ttlSecondsAfterFinished: "{{ttlSeconds}}"
  policies:
    - event: PodFailed
      action: TerminateJob
    - event: PodEvicted
      action: TerminateJob
    # From Volcano 1.11 on it can also end jobs that wait; Tessera cancels them anyway:
    # - { event: PodPending, action: TerminateJob, timeout: 10m }
  tasks:
    - name: check
      replicas: 1
      template:
${indent(defaultPod, 8)}`;

function indent(text: string, spaces: number): string {
  const margin = " ".repeat(spaces);
  return text.replaceAll(/^(?=.)/gm, margin);
}
