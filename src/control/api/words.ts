import { z } from "zod";
import { named } from "../../platform/http/api-schemas.ts";
import { moment, nameParam } from "./common.ts";

/** What people say of things, always with a reason. */
export const reasonBody = z.strictObject({
  reason: z
    .string()
    .trim()
    .min(3)
    .max(500)
    .describe("Why, for the audit log and for whoever looks at the node."),
});

export const testBody = z.strictObject({
  check: nameParam.optional().describe("One check; without it every check the cluster can run."),
  reason: z.string().trim().min(3).max(500),
});

export const wordTakenSchema = named(
  "WordTaken",
  z.strictObject({
    cluster: z.string(),
    node: z.string(),
    action: z.enum(["hold", "release", "test"]),
    sentence: z.string().describe("What happens now, and what must be switched on for it."),
    at: moment,
  }),
);

export type WordTaken = z.output<typeof wordTakenSchema>;
