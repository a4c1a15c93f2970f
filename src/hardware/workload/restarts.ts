import type { WorkloadRef } from "../objects/index.ts";
import { workloadName } from "./workload-types.ts";

/** What restarts when the shim goes into a workload, and when it is taken out again, in words. */
export function needsRestart(ref: WorkloadRef): string {
  const name = workloadName(ref);
  switch (ref.kind) {
    case "deployment":
      return `The pods of ${name} are replaced by a roll-out, now and again when the fault ends.`;
    case "statefulset":
      return `The pods of ${name} are replaced one by one from the last, now and again when the fault ends.`;
    case "job":
      return `The pods of ${name} cannot be changed; it has to be made anew from its manifest.`;
    case "leaderworkerset":
      return `The pods of ${name} are replaced group by group, leader and workers together, now and again when the fault ends.`;
    case "custom":
      return `The controller of ${name} decides; most replace every pod whose template changed, now and again when the fault ends.`;
  }
}

/** What happens to the pods when the template is cleaned before the fault ends, in words. */
export function releaseEffect(ref: WorkloadRef): string {
  const name = workloadName(ref);
  switch (ref.kind) {
    case "deployment":
      return `No pod of ${name} restarts: it is paused. Pods that replace lost ones still have the shim, which does nothing where it is not armed. The end of the fault lets the roll-out go on, and that replaces the pods.`;
    case "statefulset":
      return `No pod of ${name} restarts: its updates wait (OnDelete). Pods that replace lost ones come up without the shim. The end of the fault brings its own update strategy back, and that replaces the others.`;
    case "job":
      return `Nothing changes: the pod template of ${name} cannot.`;
    case "leaderworkerset":
      return `The pods of ${name} restart, group by group: its controller has no way to wait.`;
    case "custom":
      return `The pods of ${name} may restart: its controller decides, and most replace every pod whose template changed.`;
  }
}
