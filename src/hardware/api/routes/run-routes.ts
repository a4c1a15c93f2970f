import { z } from "zod";
import { defineRoute, type Route } from "../../../platform/http/index.ts";
import { isLive } from "../../objects/index.ts";
import { nameSchema } from "../fault-request.ts";
import { faultView, faultViewSchema } from "../fault-view.ts";
import { revertFaults } from "../service/index.ts";
import type { RouteParts } from "./route-parts.ts";
import { runFor } from "./visible-faults.ts";

const runParams = z.strictObject({ run: nameSchema });
const responses = {
  description: "The faults of the run that were in force.",
  schema: z.object({ faults: z.array(faultViewSchema) }),
} as const;

/** All faults of a test at once. */
export function runRoutes(parts: RouteParts): readonly Route[] {
  return [
    defineRoute({
      method: "POST",
      path: "/api/v1/runs/:run/renew",
      summary: "Lets the faults of a run live on, each for its lease.",
      access: "inject",
      action: "run.renew",
      params: runParams,
      responses,
      errors: ["E_HW_FORBIDDEN", "E_HW_REFUSED"],
      handle: async ({ params: { run }, caller }) => {
        await runFor(parts, caller, "renew", run);
        const renewed = await parts.ports.book.renew(run);
        return { json: { faults: renewed.map(faultView) }, target: run };
      },
    }),
    defineRoute({
      method: "POST",
      path: "/api/v1/runs/:run/revert",
      summary: "Takes every fault of a run back, and waits a while for it.",
      access: "inject",
      action: "run.revert",
      params: runParams,
      responses,
      errors: ["E_HW_FORBIDDEN"],
      handle: async ({ params: { run }, caller }) => {
        const faults = await runFor(parts, caller, "revert", run);
        const ended = await revertFaults(parts.ports, faults.filter(isLive));
        return { json: { faults: ended.map(faultView) }, target: run };
      },
    }),
  ];
}
