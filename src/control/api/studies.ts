import { z } from "zod";
import { named } from "../../platform/http/api-schemas.ts";
import { provenanceSchema } from "./common.ts";

/** What there is to choose from. */
export const studyChoicesSchema = named(
  "StudyChoices",
  z.strictObject({
    topologies: z.array(
      z.strictObject({ name: z.string(), title: z.string(), devicesMax: z.int().nullable() }),
    ),
    ops: z.array(z.string()),
    algorithms: z.array(z.string()),
    workloads: z.array(z.string()),
  }),
);

export const collectiveQuery = z.strictObject({
  op: z.string().max(40).default("all-reduce"),
  topology: z.string().max(100).default("nvl72"),
  devices: z.coerce.number().int().min(2).max(1_000_000).default(72),
  algorithm: z.string().max(40).default("auto"),
  concurrentGroups: z.coerce.number().int().min(1).max(100_000).default(1),
  fromBytes: z.coerce
    .number()
    .int()
    .min(1)
    .max(2 ** 40)
    .default(1024),
  toBytes: z.coerce
    .number()
    .int()
    .min(1)
    .max(2 ** 40)
    .default(2 ** 33),
});

export const collectiveCurveSchema = named(
  "CollectiveCurve",
  z.strictObject({
    op: z.string(),
    topology: z.string(),
    devices: z.int(),
    provenance: provenanceSchema,
    points: z
      .array(
        z.strictObject({
          bytes: z.number(),
          timeUs: z.number(),
          algbwGBps: z.number(),
          busbwGBps: z.number(),
          algorithm: z.string(),
        }),
      )
      .max(200),
    notes: z.array(z.string()).describe("How far the model may be off, with its source."),
    command: z.string().describe("The same on the command line."),
  }),
);

export const scalingQuery = z.strictObject({
  kind: z.enum(["strong", "weak"]).default("weak"),
  topology: z.string().max(100).default("hgx-h100"),
  workload: z.string().max(100).optional(),
  devices: z
    .string()
    .max(400)
    .regex(/^[\d,.:x-]+$/, { error: "must be counts with commas between, such as 8,16,32" })
    .optional(),
});

export const scalingStudySchema = named(
  "ScalingStudy",
  z.strictObject({
    kind: z.enum(["strong", "weak"]),
    topology: z.string(),
    workload: z.string(),
    provenance: provenanceSchema,
    summary: z.string(),
    bottleneck: z.string(),
    points: z
      .array(
        z.strictObject({
          devices: z.int(),
          timeS: z.number(),
          speedup: z.number(),
          efficiency: z.number(),
          tokensPerSecond: z.number(),
          causesS: z.record(z.string(), z.number()).describe("Where the time that was lost went."),
        }),
      )
      .max(100),
    knee: z.number().nullable(),
    notes: z.array(z.string()),
    command: z.string(),
  }),
);

export type StudyChoices = z.output<typeof studyChoicesSchema>;
export type CollectiveQuery = z.output<typeof collectiveQuery>;
export type CollectiveCurve = z.output<typeof collectiveCurveSchema>;
export type ScalingQuery = z.output<typeof scalingQuery>;
export type ScalingStudyView = z.output<typeof scalingStudySchema>;

export interface StudiesPort {
  choices(): Promise<StudyChoices>;
  collective(query: CollectiveQuery): Promise<CollectiveCurve>;
  scaling(query: ScalingQuery): Promise<ScalingStudyView>;
}
