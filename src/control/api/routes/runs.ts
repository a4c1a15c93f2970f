import { z } from "zod";
import { defineRoute, type Route } from "../../../platform/http/index.ts";
import { nameParam } from "../common.ts";
import {
  type RunsPort,
  runDetailSchema,
  runListQuery,
  runListSchema,
  runLogQuery,
  runLogSchema,
} from "../runs.ts";

const runParams = z.strictObject({ id: nameParam });

export function runsRoutes(port: RunsPort): readonly Route[] {
  return [
    defineRoute({
      method: "GET",
      path: "/api/v1/runs",
      summary: "Runs of checks, newest plan first.",
      access: "read",
      query: runListQuery,
      responses: { description: "One page of runs.", schema: runListSchema },
      handle: async ({ query }) => ({ json: await port.list(query) }),
    }),
    defineRoute({
      method: "GET",
      path: "/api/v1/runs/:id",
      summary: "One run: why it was made, what it measured and what was concluded.",
      access: "read",
      params: runParams,
      errors: ["E_NOT_FOUND"],
      responses: { description: "The run.", schema: runDetailSchema },
      handle: async ({ params }) => ({ json: await port.run(params.id) }),
    }),
    defineRoute({
      method: "GET",
      path: "/api/v1/runs/:id/log",
      summary: "A part of what a run has written, by bytes; it grows while the run is open.",
      access: "read",
      params: runParams,
      query: runLogQuery,
      errors: ["E_NOT_FOUND"],
      responses: { description: "The part.", schema: runLogSchema },
      handle: async ({ params, query }) => ({ json: await port.log(params.id, query) }),
    }),
  ];
}
