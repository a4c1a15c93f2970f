export { createStorage, type StorageOptions } from "./create-storage.ts";
export type {
  CheckpointTruth,
  ShardContent,
  ShardVerdict,
  Storage,
  StorageEffect,
  StorageHandle,
  StorageProfile,
  WriteEnd,
  WriteHandle,
} from "./storage.ts";
