/** Programs of several processes: launch, rendezvous, transports and measured collectives. */
export { createRankLauncher, type RankLauncherOptions } from "./launch/launcher.ts";
export { orderSchema, type WorkerOrder } from "./launch/messages.ts";
export { type Manifest, type RankJobOptions, rankJobManifests } from "./manifests/index.ts";
export { measureCollective } from "./measure/measure-collective.ts";
export type { MeasuredSize, MeasureOptions, RankTimes } from "./measure/measurement.ts";
export {
  type RankIdentity,
  type RankMembership,
  readMembership,
  readRank,
} from "./rank-environment.ts";
export { rankValues } from "./rank-values.ts";
export type {
  CollectiveTransport,
  PreparedCollective,
  PreparedSize,
  RankLauncher,
  RankOutcome,
  RankRun,
  RankTask,
  RankTaskContext,
  WireDType,
} from "./ranks.ts";
export type { RankTensor } from "./tensors/tensor-call.ts";
export { createTensorWorld, type TensorWorld } from "./tensors/tensor-world.ts";
export { createTcpTransport, type TcpTransportOptions } from "./transports/tcp/tcp-transport.ts";
export { newSecret } from "./wire/proof.ts";
export { type RankTaskOptions, runRankTask, type WorkerEnd } from "./worker/run-rank-task.ts";
export { hostRendezvous } from "./world/host-rendezvous.ts";
export { type JoinOptions, joinWorld } from "./world/join-world.ts";
export { openRendezvous, type Rendezvous, type RendezvousOptions } from "./world/rendezvous.ts";
export type { World } from "./world/world.ts";
