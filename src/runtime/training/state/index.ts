/** What a job holds, rank by rank, and as a state that can be saved. */
export { gatherShards, type HeldRecord } from "./gather-shards.ts";
export { type MeshJob, onMesh, shardsFrom, stateOf } from "./mesh-state.ts";
export { readShards } from "./read-shards.ts";
export { wholeOf } from "./read-state.ts";
export { firstShards, partOfRank, stateOfShard } from "./shards.ts";
