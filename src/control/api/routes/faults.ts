import { z } from "zod";
import { defineRoute, type Route } from "../../../platform/http/index.ts";
import { nameParam } from "../common.ts";
import {
  type FaultsPort,
  faultBody,
  faultListQuery,
  faultPlanSchema,
  hardwareFaultSchema,
  hardwareFaultsSchema,
  xidRowSchema,
} from "../faults.ts";

const path = "/api/v1/faults";
const ofTheApi = [
  "E_HW_NOT_CONFIGURED",
  "E_HW_API_UNREACHABLE",
  "E_HW_FORBIDDEN",
  "E_HW_REFUSED",
  "E_HW_FAILED",
] as const;

export function faultsRoutes(port: FaultsPort): readonly Route[] {
  return [...readingRoutes(port), ...changingRoutes(port)];
}

function readingRoutes(port: FaultsPort): readonly Route[] {
  return [
    defineRoute({
      method: "GET",
      path,
      summary: "Hardware faults, newest first, with what was foretold beside what was seen.",
      access: "read",
      query: faultListQuery,
      responses: {
        description: "One page of faults, or why none are known.",
        schema: hardwareFaultsSchema,
      },
      handle: async ({ query }) => ({ json: await port.list(query) }),
    }),
    defineRoute({
      method: "GET",
      path: `${path}/xids`,
      summary: "The XIDs that can be injected.",
      access: "read",
      responses: {
        description: "From the catalogue.",
        schema: z.strictObject({ xids: z.array(xidRowSchema) }),
      },
      handle: () => ({ json: { xids: [...port.xids()] } }),
    }),
  ];
}

function changingRoutes(port: FaultsPort): readonly Route[] {
  return [
    defineRoute({
      method: "POST",
      path: `${path}/plan`,
      summary: "What a hardware fault would do and whether it may be. Changes nothing.",
      access: "inject",
      action: "fault.plan",
      auditDetails: ({ body }) => body,
      body: faultBody,
      errors: [...ofTheApi, "E_XID_UNKNOWN"],
      responses: { description: "The plan.", schema: faultPlanSchema },
      handle: async ({ body, caller }) => ({
        json: await port.plan(body, caller),
        target: body.node,
      }),
    }),
    defineRoute({
      method: "POST",
      path,
      summary: "Makes a hardware fault; it ends by itself.",
      access: "inject",
      action: "fault.inject",
      auditDetails: ({ body }) => body,
      body: faultBody,
      errors: [...ofTheApi, "E_XID_UNKNOWN"],
      responses: { status: 201, description: "The fault.", schema: hardwareFaultSchema },
      handle: async ({ body, caller, signal }) => {
        const fault = await port.inject(body, caller, signal);
        return { status: 201, json: fault, target: fault.id };
      },
    }),
    defineRoute({
      method: "POST",
      path: `${path}/:id/revert`,
      summary: "Takes a hardware fault back.",
      access: "inject",
      action: "fault.revert",
      params: z.strictObject({ id: nameParam }),
      errors: [...ofTheApi, "E_HW_FAULT_UNKNOWN"],
      responses: { description: "How far it came.", schema: hardwareFaultSchema },
      handle: async ({ params: { id }, caller }) => ({
        json: await port.revert(id, caller),
        target: id,
      }),
    }),
  ];
}
