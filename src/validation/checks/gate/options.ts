import { z } from "zod";

/** What a gate before a job can be told; all of it has a default. */
export const gateOptions = z.strictObject({
  gpus: z
    .number()
    .int()
    .min(0)
    .max(64)
    .optional()
    .describe(
      "How many GPUs this machine must have. 0: none is looked for. Default: those of the job.",
    ),
  xidHours: z
    .number()
    .min(0)
    .max(8760)
    .default(24)
    .describe("How far back XIDs of the kernel's log count. 0: it is not read. Default 24."),
  memoryFreeMiB: z
    .number()
    .min(0)
    .optional()
    .describe(
      "Memory that must be available, in MiB. Default 1024; before a job of Slurm, none must be.",
    ),
  diskFreeMiB: z
    .number()
    .min(0)
    .default(512)
    .describe("Space that must be free in each folder, in MiB. Default 512."),
  folders: z
    .array(z.string().startsWith("/").max(4096))
    .max(16)
    .default(["/tmp"])
    .describe("Folders that must be writable and have room. Default /tmp."),
  compute: z
    .boolean()
    .default(true)
    .describe("Whether a few products with known answers are computed. Default true."),
});

export type GateOptions = z.output<typeof gateOptions>;
