export {
  createMemoryFiles,
  MemoryFiles,
  type MemoryFilesOptions,
  PowerLoss,
} from "./memory-files.ts";
export { type ProvenCheckpoint, provenIn } from "./oracle.ts";
