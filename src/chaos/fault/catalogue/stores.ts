import { z } from "zod";
import type { FaultEntry } from "./fault-entry.ts";
import { factor, noParams, whole } from "./fields.ts";

const memory = { family: "memory", targets: ["rank"], ending: "lasting", xids: [] } as const;
const storage = { family: "storage", targets: ["storage"], xids: [] } as const;
const shard = whole(0, "which one: the rank that wrote it");

/** Faults of what holds data: memory of devices, and where checkpoints lie. */
export const storeFaults = {
  out_of_memory: {
    ...memory,
    name: "out_of_memory",
    title: "Something else holds a device's memory: the next request is refused",
    params: noParams,
    worlds: {
      sim: "the allocator has no free byte",
      host: "the kernel gives the worker no more address space (prlimit), and the worker asks for some",
      kubernetes: null,
      slurm: null,
    },
    undo: "the memory is free again; a limit of the kernel is taken away",
    evidence: "a request that was refused, or the end of the worker that made it",
  },
  fragment_memory: {
    ...memory,
    name: "fragment_memory",
    title: "A device's free memory lies in small pieces",
    params: z.strictObject({
      gapBytes: whole(1_048_576, "the largest free piece", { min: 512 }),
    }),
    worlds: {
      sim: "pins all over the allocator's segments",
      host: null,
      kubernetes: null,
      slurm: null,
    },
    undo: "the pins are gone",
    evidence: "the allocator's share of inactive split bytes",
  },
  slow_storage: {
    ...storage,
    ending: "lasting",
    name: "slow_storage",
    title: "Checkpoints are written and read slowly",
    params: z.strictObject({ factor: factor(10, "how many times longer") }),
    worlds: {
      sim: "the store takes longer",
      host: "the workers' file port waits before each operation",
      kubernetes: null,
      slurm: null,
    },
    undo: "the store is as fast as before",
    evidence: "a save or a load that took longer than before",
  },
  full_storage: {
    ...storage,
    ending: "lasting",
    name: "full_storage",
    title: "No room is left for checkpoints",
    params: z.strictObject({
      freeBytes: whole(0, "left free"),
    }),
    worlds: {
      sim: "the store has no free byte",
      host: "a file fills the disk of the checkpoints, a tmpfs of its own, so that the kernel refuses (root); otherwise each worker's file port refuses what is more than the bytes left free",
      kubernetes: null,
      slurm: null,
    },
    undo: "there is room again",
    evidence: "a save that failed for want of room",
  },
  torn_write: {
    ...storage,
    ending: "lasting",
    name: "torn_write",
    title: "A shard is written in part, and the writer is told that all is well",
    params: z.strictObject({
      shard,
      count: whole(1, "so many writes from the trigger on, then no more", { min: 1, max: 10_000 }),
    }),
    worlds: {
      sim: "the shard's content ends short",
      host: "the worker's file port drops the second half and says that it is done",
      kubernetes: null,
      slurm: null,
    },
    undo: "later writes are whole; the torn shard stays torn, for a reader to refuse",
    evidence: "a shard whose bytes are not those that were handed in",
  },
  corrupt_shard: {
    ...storage,
    ending: "instant",
    name: "corrupt_shard",
    title: "A shard of the newest checkpoint has wrong bits",
    params: z.strictObject({ shard }),
    worlds: {
      sim: "the shard's content is wrong",
      host: "a byte in the middle of the file is changed",
      kubernetes: null,
      slurm: null,
    },
    undo: null,
    evidence: "a digest of the shard that is not the one in the manifest",
  },
} as const satisfies Readonly<Record<string, FaultEntry>>;
