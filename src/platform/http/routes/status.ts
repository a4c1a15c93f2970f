import { z } from "zod";
import { named } from "../api-schemas.ts";
import { defineRoute, type Route } from "../route.ts";
import { doctorSchema } from "./doctor.ts";
import { figureSchema } from "./figure.ts";

export const statusSchema = named(
  "Status",
  z.strictObject({
    version: z.string(),
    ready: z.boolean(),
    startedAt: z.iso.datetime(),
    uptime: figureSchema,
    host: z.strictObject({
      name: z.string(),
      platform: z.string().describe("Operating system and architecture: `linux x64`."),
      node: z.string().describe("The version of Node."),
    }),
    memory: figureSchema,
    store: z.strictObject({
      engine: z.string(),
      schemaVersion: z.int(),
      location: z.string().describe("Without passwords."),
      limits: z.array(z.string()).describe("What weakens the store here; empty when nothing does."),
      answer: figureSchema.nullable().describe("Null when the store did not answer."),
    }),
    eventStreams: figureSchema,
    doctor: doctorSchema,
  }),
);

export type StatusView = z.output<typeof statusSchema>;

const checkSchema = z.strictObject({
  name: z.string(),
  ready: z.boolean(),
  reason: z.string(),
});

export const readinessSchema = named(
  "Readiness",
  z.strictObject({
    ready: z.boolean(),
    checks: z.array(checkSchema).describe("Empty for callers who may not read."),
  }),
);

export type ReadinessView = z.output<typeof readinessSchema>;

/** The state of the control plane as the API sees it. */
export interface StatusPort {
  status(): Promise<StatusView>;
  readiness(): Promise<ReadinessView>;
}

export function statusRoutes(port: StatusPort): readonly Route[] {
  return [
    defineRoute({
      method: "GET",
      path: "/healthz",
      summary: "Answers as long as the process does.",
      access: "open",
      responses: { description: "Alive.", schema: z.strictObject({ alive: z.literal(true) }) },
      handle: () => ({ json: { alive: true as const } }),
    }),
    defineRoute({
      method: "GET",
      path: "/readyz",
      summary: "Whether work can be given to this process: store, first doctor run, not stopping.",
      // Who asks whether to send work here, a kubelet for one, has no token.
      access: "open",
      asksWho: true,
      responses: {
        description: "Ready.",
        schema: readinessSchema,
        otherStatus: { status: 503, description: "Not ready; the checks say why." },
      },
      handle: async ({ mayRead }) => {
        const { ready, checks } = await port.readiness();
        return { status: ready ? 200 : 503, json: { ready, checks: mayRead ? checks : [] } };
      },
    }),
    defineRoute({
      method: "GET",
      path: "/api/v1/status",
      summary: "Version, uptime, store and the doctor's findings.",
      access: "read",
      responses: { description: "The status.", schema: statusSchema },
      handle: async () => ({ json: await port.status() }),
    }),
  ];
}
