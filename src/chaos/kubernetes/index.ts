/** Experiments on the pods of a real cluster. */
export { checkCluster, listWorkloadPods, rightsFor } from "./check-cluster.ts";
export type {
  HardwareHook,
  HardwareInjection,
  KubernetesWorldOptions,
} from "./kubernetes-options.ts";
export { createKubernetesWorld, dryRunOnCluster, recoverOnCluster } from "./kubernetes-world.ts";
export { clearLeftovers, findLeftovers, type Leftover } from "./leftovers.ts";
export { marks, optInValue } from "./objects.ts";
export { kubernetesRefusals } from "./refusals.ts";
