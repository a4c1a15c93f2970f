/** What a job holds, rank by rank, and as a state that can be saved. */
export { type MeshJob, onMesh, shardsFrom, stateOf } from "./mesh-state.ts";
export { readCommon, recordAt, tensorAt, wholeAt } from "./read-state.ts";
export { firstShards } from "./shards.ts";
