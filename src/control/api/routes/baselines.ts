import { z } from "zod";
import { defineRoute, type Route } from "../../../platform/http/index.ts";
import {
  type BaselinesPort,
  baselineListQuery,
  baselineListSchema,
  baselineProposalSchema,
  baselineSchema,
  proposeBody,
} from "../baselines.ts";
import { nameParam } from "../common.ts";
import { reasonBody } from "../words.ts";

const params = z.strictObject({ id: nameParam });
const path = "/api/v1/baselines";

export function baselinesRoutes(port: BaselinesPort): readonly Route[] {
  return [
    defineRoute({
      method: "GET",
      path,
      summary: "What was learned as usual, newest first.",
      access: "read",
      query: baselineListQuery,
      responses: { description: "One page of baselines.", schema: baselineListSchema },
      handle: async ({ query }) => ({ json: await port.list(query) }),
    }),
    defineRoute({
      method: "GET",
      path: `${path}/:id`,
      summary: "One baseline with where it comes from.",
      access: "read",
      params,
      errors: ["E_BASELINE_UNKNOWN"],
      responses: { description: "The baseline.", schema: baselineSchema },
      handle: async ({ params: { id } }) => ({ json: await port.baseline(id) }),
    }),
    defineRoute({
      method: "POST",
      path: `${path}/propose`,
      summary: "Learns candidates from the runs of the last days, as `tessera baseline propose`.",
      access: "operate",
      action: "baseline.propose",
      auditDetails: ({ body: { cluster = "", check = "", ...rest } }) => ({
        ...(cluster === "" ? {} : { cluster }),
        ...(check === "" ? {} : { check }),
        ...rest,
      }),
      body: proposeBody,
      errors: ["E_BUSY"],
      responses: {
        description: "What was learned, and what could not be.",
        schema: baselineProposalSchema,
      },
      handle: async ({ body, caller, signal }) => {
        const json = await port.propose({ ...body, actor: caller.name }, signal);
        const { candidates, activated } = json;
        const ids = candidates.map(({ id }) => id).join(" ");
        const details = { candidates: ids, activated: activated.join(" ") };
        return { json, target: body.cluster ?? "", details };
      },
    }),
    ...(["activate", "reject"] as const).map((deed) =>
      defineRoute({
        method: "POST",
        path: `${path}/:id/${deed}`,
        summary:
          deed === "activate"
            ? "Brings a candidate into force; its guard rails still hold."
            : "Takes a baseline out of use.",
        access: "operate",
        action: `baseline.${deed}`,
        auditDetails: ({ body }) => body,
        params,
        body: reasonBody,
        errors: ["E_BASELINE_UNKNOWN", "E_BASELINE_STATE", "E_BASELINE_REFUSED"],
        responses: { description: "As it is now.", schema: baselineSchema },
        handle: async ({ params: { id }, body: { reason }, caller }) => {
          const to = deed === "activate" ? "active" : "rejected";
          const json = await port.change(id, { to, reason, actor: caller.name });
          return { json, target: json.id };
        },
      }),
    ),
  ];
}
