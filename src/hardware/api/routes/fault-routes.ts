import { z } from "zod";
import { defineRoute, type Route } from "../../../platform/http/index.ts";
import { faultRequestSchema, nameSchema } from "../fault-request.ts";
import {
  faultEntry,
  faultEntrySchema,
  faultResponse,
  faultResponseSchema,
} from "../fault-response.ts";
import { releaseSpec, revertFault } from "../service/index.ts";
import { injectedReply, revertedReply } from "./answers.ts";
import { type RouteParts, requireRight } from "./route-parts.ts";
import { faultFor, visibleFaults } from "./visible-faults.ts";

const idParams = z.strictObject({ id: z.string().min(1).max(253) });

/** A switch in a query: `active_only=true`. */
const flag = z.enum(["true", "false"]).transform((text) => text === "true");

const faultResponses = {
  description: "The fault.",
  schema: faultResponseSchema,
  otherStatus: { status: 202, description: "Not over yet; it goes on." },
} as const;

/** Faults themselves: plan, make, show, take back. */
export function faultRoutes(parts: RouteParts): readonly Route[] {
  return [
    planRoute(parts),
    injectRoute(parts),
    listRoute(parts),
    showRoute(parts),
    endRoute(parts, { method: "POST", path: "/api/v1/faults/:id/recover" }),
    endRoute(parts, { method: "DELETE", path: "/api/v1/faults/:id" }),
    releaseRoute(parts),
  ];
}

const findingSchema = z.object({
  rule: z.string(),
  verdict: z.enum(["ok", "warn", "refuse"]),
  reason: z.string(),
});

/** What a plan looks like on the wire. */
export const planAnswerSchema = z.object({
  allowed: z.boolean(),
  findings: z.array(findingSchema),
  plan: z.looseObject({}),
  text: z.string(),
});

export type PlanAnswer = z.output<typeof planAnswerSchema>;

function planRoute(parts: RouteParts): Route {
  return defineRoute({
    method: "POST",
    path: "/api/v1/plan",
    summary: "What a fault would do, what each detector should do, and whether it may be.",
    access: "operate",
    action: "fault.plan",
    body: faultRequestSchema,
    responses: { description: "The plan.", schema: planAnswerSchema },
    errors: ["E_HW_FORBIDDEN", "E_XID_UNKNOWN"],
    handle: async ({ body, caller }) => {
      const { namespace, run } = body;
      await requireRight(parts, caller, "plan", { namespace, run });
      const { findings, plan, text } = await parts.injector.plan(body, caller.name);
      const allowed = findings.every(({ verdict }) => verdict !== "refuse");
      return { json: { allowed, findings: [...findings], plan: { ...plan }, text } };
    },
  });
}

function injectRoute(parts: RouteParts): Route {
  return defineRoute({
    method: "POST",
    path: "/api/v1/faults",
    summary: "Makes a fault. Its end is part of the request.",
    access: "inject",
    action: "fault.inject",
    body: faultRequestSchema,
    responses: { ...faultResponses, status: 201 },
    errors: ["E_HW_FORBIDDEN", "E_HW_REFUSED", "E_HW_WORKLOAD", "E_HW_FAILED", "E_XID_UNKNOWN"],
    handle: async ({ body, caller }) => {
      const { namespace, run, name } = body;
      const fault = name === undefined ? {} : { fault: name };
      await requireRight(parts, caller, "inject", { namespace, run, ...fault });
      return injectedReply(await parts.injector.inject(body, caller.name));
    },
  });
}

function listRoute(parts: RouteParts): Route {
  return defineRoute({
    method: "GET",
    path: "/api/v1/faults",
    summary: "The faults that the caller may see.",
    access: "read",
    action: "fault.list",
    query: z.strictObject({
      active_only: flag.default(false),
      namespace: nameSchema.optional(),
      run: nameSchema.optional(),
    }),
    responses: {
      description: "The faults.",
      schema: z.object({ faults: z.array(faultEntrySchema), total: z.int() }),
    },
    errors: ["E_HW_FORBIDDEN"],
    handle: async ({ query, caller }) => {
      const { namespace, run, active_only: activeOnly } = query;
      const found = await visibleFaults(parts, caller, { namespace, run, activeOnly });
      return { json: { faults: found.map(faultEntry), total: found.length } };
    },
  });
}

function showRoute(parts: RouteParts): Route {
  return defineRoute({
    method: "GET",
    path: "/api/v1/faults/:id",
    summary: "One fault.",
    access: "read",
    action: "fault.read",
    params: idParams,
    responses: { description: "The fault.", schema: faultEntrySchema },
    errors: ["E_HW_FORBIDDEN", "E_HW_FAULT_UNKNOWN"],
    handle: async ({ params: { id }, caller }) => ({
      json: faultEntry(await faultFor(parts, caller, "read", id)),
    }),
  });
}

function endRoute(
  parts: RouteParts,
  where: { readonly method: "POST" | "DELETE"; readonly path: string },
): Route {
  return defineRoute({
    ...where,
    summary: "Takes a fault of any kind back, and waits a while for it.",
    access: "inject",
    action: "fault.revert",
    params: idParams,
    responses: faultResponses,
    errors: ["E_HW_FORBIDDEN", "E_HW_FAULT_UNKNOWN"],
    handle: async ({ params: { id }, caller }) => {
      const fault = await faultFor(parts, caller, "revert", id);
      return revertedReply(await revertFault(parts.ports, fault));
    },
  });
}

function releaseRoute(parts: RouteParts): Route {
  return defineRoute({
    method: "POST",
    path: "/api/v1/faults/:id/release-spec",
    summary: "Takes the shim out of a workload's spec while its pods go on.",
    access: "inject",
    action: "fault.release-spec",
    params: idParams,
    responses: { description: "The fault, and what happens.", schema: faultResponseSchema },
    errors: ["E_HW_FORBIDDEN", "E_HW_FAULT_UNKNOWN", "E_HW_REFUSED", "E_HW_WORKLOAD"],
    handle: async ({ params: { id }, caller }) => {
      const found = await faultFor(parts, caller, "revert", id);
      const { fault, effect } = await releaseSpec(parts.ports, found);
      return { json: faultResponse(fault, effect), target: id };
    },
  });
}
