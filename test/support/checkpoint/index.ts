export { type Crash, crashesOf } from "./crashes.ts";
export {
  createMemoryFiles,
  MemoryFiles,
  PowerLoss,
} from "./memory-files.ts";
export { type ProvenCheckpoint, provenIn } from "./oracle.ts";
