export { Believed } from "./access/believed.ts";
export type { KubeUser } from "./access/kube-user.ts";
export { mayAccess } from "./access/subject-access.ts";
export {
  createTokenReviewer,
  kubeTokenCharsMax,
  type TokenReviewer,
  type TokenReviewerOptions,
} from "./access/token-reviewer.ts";
export { type Right, type RightFound, reviewAccess, rightName } from "./access-review.ts";
export { type ApplyOptions, applyConflictsOf, applyObject, type FieldConflict } from "./apply.ts";
export { createKubeClient, KubeClient, type KubeClientOptions } from "./client.ts";
export type {
  DeleteOptions,
  DeletePropagation,
  JsonPatchOperation,
  ListPageOptions,
  LogOptions,
  Patch,
  Selection,
  WriteOptions,
} from "./client-options.ts";
export { actingAs } from "./config/acting-as.ts";
export type { KubeConfig, KubeTls } from "./config/kube-config.ts";
export { type LoadKubeConfigOptions, loadKubeConfig } from "./config/load-kubeconfig.ts";
export type { Credential, Credentials } from "./credentials/credentials.ts";
export { isExpired, isNotFound, type KubeFailure, kubeFailureOf } from "./http/failure.ts";
export type { CallOptions } from "./http/requester.ts";
export {
  createLeaderElection,
  type LeaderElection,
  type LeaderElectionOptions,
  type LeaderEvent,
  type LeaderTerm,
} from "./lease/leader-election.ts";
export { type ListAllOptions, type ListAllResult, listAll } from "./list-all.ts";
export { listNodes, type NodeSummary } from "./node-list.ts";
export { type KubernetesProbeOptions, kubernetesProbe } from "./probe.ts";
export { parseQuantity, type Quantity, quantityToInteger } from "./quantity.ts";
export {
  apiVersionOf,
  type ObjectRef,
  type ResourceType,
  resourcePath,
  resourceTypes,
} from "./resource-type.ts";
export type { KubeList, KubeObject, KubeStatus, ObjectMeta, OwnerReference } from "./types.ts";
export { type UpdateOptions, updateWithRetry } from "./update.ts";
export { createReflector, type Reflector } from "./watch/reflector.ts";
export type {
  Freshness,
  ReflectorCounts,
  ReflectorEvent,
  ReflectorOptions,
  ReflectorState,
} from "./watch/reflector-options.ts";
export type { ViewChange } from "./watch/view.ts";
