import { z } from "zod";
import { named } from "../../platform/http/api-schemas.ts";
import { roles } from "../../platform/http/auth/roles.ts";

/** Who calls and what they may do; open to all, so that a page knows whether to ask for a token. */
export const sessionSchema = named(
  "Session",
  z.strictObject({
    caller: z.string().nullable().describe("Null: nobody known; a token is needed to read."),
    role: z.enum(roles).nullable(),
    readsNeedToken: z.boolean(),
    tokenProblem: z
      .string()
      .nullable()
      .describe("Why the token that came with the call is not good."),
    tokenInShell: z
      .string()
      .nullable()
      .describe("What a shell of this machine puts in the token's place; on loopback only."),
    version: z.string(),
    acceptsClusterTokens: z
      .boolean()
      .describe("Tokens of Kubernetes are accepted too (TokenReview)."),
  }),
);

export type SessionView = z.output<typeof sessionSchema>;
