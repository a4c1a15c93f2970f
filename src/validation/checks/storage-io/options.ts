import { isAbsolute } from "node:path";
import { z } from "zod";

/** What can be measured, in the order it is done: each group works on files of its own. */
export const storagePatterns = [
  "write",
  "read",
  "randread",
  "randwrite",
  "multi-write",
  "multi-read",
  "checkpoint",
  "metadata",
  "verify",
] as const;
export type StoragePattern = (typeof storagePatterns)[number];

const mebibyte = 2 ** 20;
const fileBytes = z
  .int()
  .min(mebibyte)
  .max(2 ** 44)
  .multipleOf(mebibyte, { error: "must be whole mebibytes (1048576 bytes)" });

/** What the same figures came to on another node at the same time: one number or its samples. */
const control = z.strictObject({
  node: z.string().min(1).max(253).optional().describe("Which node that is, for the facts."),
  figures: z
    .record(z.string(), z.union([z.number().positive(), z.array(z.number().positive()).min(1)]))
    .describe("Figures of storage-io by name: one number each, or their samples."),
});

export const storageOptionsSchema = z.strictObject({
  directory: z
    .string()
    .max(4096)
    .refine(isAbsolute, { error: "must be an absolute path" })
    .optional()
    .describe("A folder on the mount to test. Default in a job: the volume its results go to."),
  patterns: z
    .array(z.enum(storagePatterns))
    .min(1)
    .refine((all) => new Set(all).size === all.length, { error: "must not name one twice" })
    .optional()
    .describe("What to measure. Default all."),
  sizeBytes: fileBytes
    .optional()
    .describe("Size of each file. Default 256 MiB quick, 4 GiB standard, 10 GiB soak."),
  checkpointBytes: fileBytes
    .optional()
    .describe("What each writer of a checkpoint writes. Default 32 MiB, 2 GiB, 8 GiB."),
  verifyBytes: fileBytes
    .optional()
    .describe("How much is written, read back and compared. Default 128 MiB, 1 GiB, 8 GiB."),
  runtimeMs: z
    .int()
    .min(200)
    .max(3_600_000)
    .optional()
    .describe("How long each pattern is measured. Default 4 s quick, 30 s standard, 60 s soak."),
  rampMs: z
    .int()
    .min(0)
    .max(600_000)
    .optional()
    .describe("How long each pattern warms up first. Default 1 s, 5 s, 10 s."),
  rounds: z.int().min(1).max(100).optional().describe("How often all is done. Default 1, 1, 3."),
  jobs: z.int().min(1).max(64).optional().describe("Processes of the patterns with several: 8."),
  files: z.int().min(10).max(100_000).optional().describe("Files of a round of `metadata`: 1000."),
  engine: z
    .enum(["libaio", "io_uring", "posixaio", "psync"])
    .optional()
    .describe("How fio asks for input and output. Default libaio, or what this fio has."),
  direct: z
    .boolean()
    .optional()
    .describe("Past the page cache. Default true where the file system can."),
  control: control
    .optional()
    .describe("What a control node measured meanwhile; adds a ratio to it for each figure."),
  rateBytesPerSecond: z
    .int()
    .min(4096)
    .optional()
    .describe("For rehearsals: as slow as this, whatever the disk can do."),
  corrupt: z
    .strictObject({ offsetBytes: z.int().min(0).default(4096) })
    .optional()
    .describe("For rehearsals: one bit of the file to verify is flipped before it is read."),
});

export type StorageOptions = z.output<typeof storageOptionsSchema>;
