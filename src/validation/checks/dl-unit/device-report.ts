import { z } from "zod";
import { verifyStyles } from "./verify/style.ts";

/** What a device process is told. */
export const deviceTaskSchema = z.strictObject({
  engine: z.enum(["cuda", "cpu"]),
  profile: z.enum(["quick", "standard", "soak"]),
  /** Names of cases, in the order of the table. */
  cases: z.array(z.string()),
  /** Cases that are repeated with other data until the time is up. */
  repeated: z.array(z.string()),
  repeatMs: z.number(),
  scale: z.number(),
  iterations: z.number().optional(),
  seed: z.string(),
  corrupt: z
    .strictObject({
      gpu: z.number(),
      case: z.string(),
      kind: z.enum(["flip-bit", "altered-kernel"]),
      bit: z.number(),
      repeat: z.number().optional(),
    })
    .optional(),
});
export type DeviceTask = z.output<typeof deviceTaskSchema>;

/** Which device. */
export const deviceSchema = z.object({
  name: z.string(),
  index: z.number(),
  model: z.string(),
  uuid: z.string().optional(),
  pciBusId: z.string().optional(),
});

const figure = z.object({
  samples: z.array(z.number()),
  unit: z.string(),
  higherIsBetter: z.boolean(),
});

export const caseReportSchema = z.object({
  name: z.string(),
  /** Name, sizes and round: what is compared between devices. */
  key: z.string(),
  /** 0, and more where cases are repeated with other data. */
  round: z.number(),
  styles: z.array(z.enum(verifyStyles)),
  problems: z.array(z.object({ style: z.enum(verifyStyles), text: z.string() })),
  digests: z.record(z.string(), z.string()),
  figures: z.record(z.string(), figure),
  facts: z.record(z.string(), z.union([z.number(), z.string()])).optional(),
  wallMs: z.number(),
});
/** What came of one case on one device. */
export type CaseReport = z.output<typeof caseReportSchema>;

/** All that one device has to say. */
export const deviceReportSchema = z.object({
  device: deviceSchema,
  softwareKey: z.string(),
  versions: z.record(z.string(), z.string()),
  cases: z.array(caseReportSchema),
  /** What the device cannot compute, by case. */
  notCovered: z.record(z.string(), z.string()),
});
export type DeviceReport = z.output<typeof deviceReportSchema>;

/** What a device process says while it works. */
export const progressSchema = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("device"), device: deviceSchema }),
  z.object({ kind: z.literal("begin"), key: z.string(), round: z.number() }),
  z.object({ kind: z.literal("end"), key: z.string(), round: z.number(), wallMs: z.number() }),
  z.object({ kind: z.literal("problem"), text: z.string() }),
  /** The device cannot go on; nothing comes after it. */
  z.object({ kind: z.literal("failed"), code: z.string().optional(), text: z.string() }),
]);
export type Progress = z.output<typeof progressSchema>;
