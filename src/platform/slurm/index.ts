export type {
  SlurmCallOptions,
  SlurmClient,
  SlurmClientOptions,
  SlurmHistory,
  SlurmJobsOptions,
  SlurmNodeChange,
  SlurmReservationRequest,
  SlurmSubmission,
} from "./client.ts";
export { createSlurmClient } from "./create-client.ts";
export { expandHostlist } from "./hostlist.ts";
export { endedJobStates, isChosen, type SlurmJobChoice } from "./job-choice.ts";
export type {
  SlurmGres,
  SlurmJob,
  SlurmJobEnd,
  SlurmNode,
  SlurmNodeEvent,
  SlurmPartition,
  SlurmQos,
  SlurmRelease,
  SlurmReservation,
} from "./words.ts";
