import { z } from "zod";
import { defineRoute, type Route } from "../../../platform/http/index.ts";
import { nameParam } from "../common.ts";
import {
  type ExperimentsPort,
  experimentDetailSchema,
  experimentEventsQuery,
  experimentEventsSchema,
  experimentListQuery,
  experimentListSchema,
  experimentPlanSchema,
  experimentRowSchema,
  presetListSchema,
  reproducerSchema,
  startExperimentBody,
} from "../experiments.ts";
import { reportPolicy } from "../report-policy.ts";

const path = "/api/v1/experiments";
const params = z.strictObject({ id: nameParam });
const unknown = ["E_NOT_FOUND"] as const;
const badPlan = ["E_EXPERIMENT", "E_PLAN", "E_FAULT_INVALID", "E_WORLD"] as const;

export function experimentsRoutes(port: ExperimentsPort): readonly Route[] {
  return [...listRoutes(port), ...oneRoutes(port), ...changingRoutes(port)];
}

function listRoutes(port: ExperimentsPort): readonly Route[] {
  return [
    defineRoute({
      method: "GET",
      path,
      summary: "Chaos experiments, newest first, and where they may run.",
      access: "read",
      query: experimentListQuery,
      responses: { description: "One page of experiments.", schema: experimentListSchema },
      handle: async ({ query }) => ({ json: await port.list(query) }),
    }),
    defineRoute({
      method: "GET",
      path: `${path}/presets`,
      summary: "Experiment files that come with Tessera, to start from.",
      access: "read",
      responses: { description: "The files.", schema: presetListSchema },
      handle: async () => ({ json: { presets: [...(await port.presets())] } }),
    }),
  ];
}

function oneRoutes(port: ExperimentsPort): readonly Route[] {
  return [
    defineRoute({
      method: "GET",
      path: `${path}/:id`,
      summary: "An experiment: its plan, what happened, what came of it.",
      access: "read",
      params,
      errors: unknown,
      responses: { description: "The experiment.", schema: experimentDetailSchema },
      handle: async ({ params: { id } }) => ({ json: await port.experiment(id) }),
    }),
    defineRoute({
      method: "GET",
      path: `${path}/:id/events`,
      summary: "What happened in an experiment, one after the other.",
      access: "read",
      params,
      query: experimentEventsQuery,
      errors: unknown,
      responses: { description: "One page of events.", schema: experimentEventsSchema },
      handle: async ({ params: { id }, query }) => ({ json: await port.events(id, query) }),
    }),
    defineRoute({
      method: "GET",
      path: `${path}/:id/report`,
      summary: "The report of an experiment, as `tessera chaos run --html` writes it.",
      access: "read",
      params,
      errors: [...unknown, "E_EXPERIMENT_STATE"],
      responses: { description: "The page.", contentType: "text/html" },
      handle: async ({ params: { id } }) =>
        new Response(await port.report(id), {
          headers: {
            "content-type": "text/html; charset=utf-8",
            "content-security-policy": reportPolicy,
          },
        }),
    }),
  ];
}

function changingRoutes(port: ExperimentsPort): readonly Route[] {
  return [
    defineRoute({
      method: "POST",
      path,
      summary: "Begins an experiment in the background; with `dryRun` only says what would happen.",
      access: "inject",
      action: "experiment.start",
      auditDetails: ({ body: { world, seed, dryRun } }) => ({
        dryRun,
        ...(world === undefined ? {} : { world }),
        ...(seed === undefined ? {} : { seed }),
      }),
      body: startExperimentBody,
      errors: [...badPlan, "E_HW_FORBIDDEN", "E_EXPERIMENTS_FULL"],
      responses: {
        status: 202,
        description: "It waits for its turn or runs.",
        schema: z.union([experimentRowSchema, experimentPlanSchema]),
        otherStatus: { status: 200, description: "The plan of a dry run; nothing was begun." },
      },
      handle: async ({ body, caller, signal }) => {
        if (body.dryRun) return { json: await port.plan(body, caller, signal), target: "dry run" };
        const row = await port.start(body, caller, signal);
        const { title, world, seed } = row;
        return { status: 202, json: row, target: row.id, details: { title, world, seed } };
      },
    }),
    defineRoute({
      method: "POST",
      path: `${path}/:id/stop`,
      summary:
        "Ends an experiment early, everything undone first, which takes the role inject; or a search for a smaller one.",
      // Who may begin a search may end it.
      access: "operate",
      action: "experiment.stop",
      params,
      errors: unknown,
      responses: { description: "How it stands.", schema: experimentRowSchema },
      handle: async ({ params: { id }, caller }) => {
        return { json: await port.stop(id, caller), target: id };
      },
    }),
    defineRoute({
      method: "POST",
      path: `${path}/:id/minimise`,
      summary: "Looks for the smallest experiment that fails the same way; simulated ones only.",
      access: "operate",
      action: "experiment.minimise",
      params,
      errors: [...unknown, "E_EXPERIMENT_STATE", "E_EXPERIMENTS_FULL"],
      responses: { status: 202, description: "It is looked for.", schema: reproducerSchema },
      handle: async ({ params: { id } }) => {
        return { status: 202, json: await port.minimise(id), target: id };
      },
    }),
  ];
}
