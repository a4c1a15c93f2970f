import { defineRoute, type Route } from "../../../platform/http/index.ts";
import {
  collectiveCurveSchema,
  collectiveQuery,
  type StudiesPort,
  scalingQuery,
  scalingStudySchema,
  studyChoicesSchema,
} from "../studies.ts";

const path = "/api/v1/studies";

export function studiesRoutes(port: StudiesPort): readonly Route[] {
  return [
    defineRoute({
      method: "GET",
      path: `${path}/choices`,
      summary: "Systems, collectives and workloads that the time model knows.",
      access: "read",
      responses: { description: "What there is to choose from.", schema: studyChoicesSchema },
      handle: async () => ({ json: await port.choices() }),
    }),
    defineRoute({
      method: "GET",
      path: `${path}/collective`,
      summary: "How long a collective takes over a range of sizes, modelled.",
      access: "read",
      query: collectiveQuery,
      errors: ["E_TOPOLOGY", "E_ALGORITHM"],
      responses: { description: "The curve.", schema: collectiveCurveSchema },
      handle: async ({ query }) => ({ json: await port.collective(query) }),
    }),
    defineRoute({
      method: "GET",
      path: `${path}/scaling`,
      summary: "How a workload scales with devices and what limits it, modelled.",
      access: "read",
      query: scalingQuery,
      errors: ["E_TOPOLOGY", "E_WORKLOAD"],
      responses: { description: "The study.", schema: scalingStudySchema },
      handle: async ({ query }) => ({ json: await port.scaling(query) }),
    }),
  ];
}
