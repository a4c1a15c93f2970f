import { z } from "zod";

/**
 * What a process of its own says about a machine, line by line: that it asks something, and what it
 * saw. A driver or a file system that hangs takes that process with it, and the last line says which.
 */
const count = z.number().nonnegative();
const pid = z.number().int();

const memory = z.strictObject({ saw: z.literal("memory"), availableBytes: count });
const folder = z.strictObject({
  saw: z.literal("folder"),
  path: z.string(),
  freeBytes: count.optional(),
  /** What the system answered instead; `code` as in errno. */
  problem: z.strictObject({ code: z.string(), text: z.string() }).optional(),
});
const driver = z.strictObject({
  saw: z.literal("driver"),
  /** GPUs that are plugged in; a container may see more of them than it may use. */
  onBus: count,
  /** GPUs that the kernel's part of the driver lists. */
  inKernel: count,
  /** Parts of GPUs (MIG) are given to jobs, with numbers that are not those of GPUs. */
  isDivided: z.boolean(),
  gpus: z
    .array(
      z.strictObject({
        index: count,
        uuid: z.string(),
        pciBusId: z.string(),
        /** N of its device file `/dev/nvidiaN`. */
        minor: count.optional(),
      }),
    )
    .max(64)
    .optional(),
  /** Whether the kernel has the driver. */
  isLoaded: z.boolean(),
  /** Whether what follows is the driver's own answer, and not that it could not be asked. */
  isAnswer: z.boolean(),
  problem: z.string().optional(),
});
const gpu = z.strictObject({
  saw: z.literal("gpu"),
  uuid: z.string(),
  eccUncorrected: count.nullable().optional(),
  remapPending: z.boolean().nullable().optional(),
  remapFailed: z.boolean().nullable().optional(),
  /** Processes that compute on it. */
  pids: z.array(pid).max(1000).optional(),
  problem: z.string().optional(),
});
const xids = z.strictObject({
  saw: z.literal("xids"),
  events: z
    .array(
      z.strictObject({
        atMs: z.number().nullable(),
        pciBusId: z.string(),
        xid: z.number().int(),
        text: z.string().max(2000),
      }),
    )
    .max(1000)
    .optional(),
  problem: z.string().optional(),
});
const asking = z.strictObject({ asks: z.string().max(4200) });

const sightingSchema = z.discriminatedUnion("saw", [memory, folder, driver, gpu, xids]);
export const lookLineSchema = z.union([asking, sightingSchema]);

export type Sighting = z.output<typeof sightingSchema>;
export type DriverSighting = z.output<typeof driver>;
export type GpuSighting = z.output<typeof gpu>;
export type XidsSighting = z.output<typeof xids>;
export type LookLine = z.output<typeof lookLineSchema>;
