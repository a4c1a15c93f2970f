import { z } from "zod";
import { findingStates } from "../../doctor/index.ts";
import { named } from "../api-schemas.ts";
import { defineRoute, type Route } from "../route.ts";
import { figureSchema } from "./figure.ts";

export const findingSchema = named(
  "Finding",
  z.strictObject({
    probe: z.string().describe("The probe's identifier."),
    title: z.string(),
    state: z.enum(findingStates).describe("Unknown is never good."),
    required: z.boolean().describe("Without it Tessera cannot do its main job on this machine."),
    neededFor: z.string(),
    reason: z.string(),
    hint: z.string().nullable(),
    duration: figureSchema,
    evidence: z.record(z.string(), z.unknown()),
  }),
);

export const doctorRunSchema = named(
  "DoctorRun",
  z.strictObject({
    startedAt: z.iso.datetime(),
    finishedAt: z.iso.datetime(),
    duration: figureSchema,
    counts: z.strictObject({
      works: z.int(),
      limited: z.int(),
      missing: z.int(),
      unknown: z.int(),
    }),
    findings: z.array(findingSchema),
  }),
);

export const doctorSchema = named(
  "Doctor",
  z.strictObject({
    running: z.boolean(),
    lastRun: doctorRunSchema.nullable().describe("Null until the first run is over."),
  }),
);

const historySchema = named(
  "DoctorHistory",
  z.strictObject({
    changes: z
      .array(
        z.strictObject({
          title: z.string(),
          from: z.enum(findingStates),
          to: z.enum(findingStates),
          at: z.iso.datetime(),
        }),
      )
      .describe("The latest changes of what this machine can do, newest first."),
    diskSync: z
      .array(
        z.strictObject({
          at: z.iso.datetime(),
          medianMs: z.number(),
          worstMs: z.number(),
        }),
      )
      .describe("How long the disk took to make a small write durable, measured; oldest first."),
    provenance: z.literal("measured"),
  }),
);

export type DoctorHistoryView = z.output<typeof historySchema>;
export type FindingView = z.output<typeof findingSchema>;
export type DoctorRunView = z.output<typeof doctorRunSchema>;
export type DoctorView = z.output<typeof doctorSchema>;

/** The doctor as the API sees it. */
export interface DoctorPort {
  view(): DoctorView;
  /** What earlier runs found, as far as it is kept. */
  history(): Promise<DoctorHistoryView>;
  /** Runs the probes from now on; callers that come while one run waits share it. */
  run(): Promise<DoctorRunView>;
}

export function doctorRoutes(doctor: DoctorPort): readonly Route[] {
  return [
    defineRoute({
      method: "GET",
      path: "/api/v1/doctor",
      summary: "What this machine can do, from the last doctor run.",
      access: "read",
      responses: { description: "The findings.", schema: doctorSchema },
      handle: () => ({ json: doctor.view() }),
    }),
    defineRoute({
      method: "GET",
      path: "/api/v1/doctor/history",
      summary: "What changed between doctor runs, and how fast the disk was in each.",
      access: "read",
      responses: { description: "The history.", schema: historySchema },
      handle: async () => ({ json: await doctor.history(), isShared: true }),
    }),
    defineRoute({
      method: "POST",
      path: "/api/v1/doctor/runs",
      summary: "Runs the doctor and answers with what it found.",
      access: "operate",
      action: "doctor.run",
      responses: { description: "The findings of the new run.", schema: doctorRunSchema },
      handle: async () => ({ json: await doctor.run() }),
    }),
  ];
}
