import { z } from "zod";
import { TesseraError } from "../../errors/index.ts";
import { formatDurationMs, parseDurationMs, UnitError } from "../../units/index.ts";
import { named } from "../api-schemas.ts";
import { type Role, roles } from "../auth/roles.ts";
import { createSecret, hashSecret } from "../auth/secret.ts";
import { defineRoute, type Route } from "../route.ts";

const tokenFields = {
  id: z.string(),
  name: z.string(),
  role: z.enum(roles),
  createdAt: z.iso.datetime(),
  expiresAt: z.iso.datetime().nullable(),
  revokedAt: z.iso.datetime().nullable(),
};

export const tokenSchema = named("Token", z.strictObject(tokenFields));

const listSchema = z.strictObject({
  tokens: z.array(tokenSchema),
  next: z.string().nullable().describe("Pass it as `cursor` for the next page; null at the end."),
});

const newTokenSchema = named(
  "NewToken",
  z.strictObject({
    ...tokenFields,
    token: z.string().describe("The token itself. It is shown once and kept nowhere."),
  }),
);

const expiresInMsMax = 10 * 365 * 86_400_000;

/** What a new token is to be, as whoever asks for it writes it. */
export const tokenWishSchema = z.strictObject({
  name: z
    .string()
    .regex(/^[\w][\w .@-]{0,63}$/, {
      error: "must be 1 to 64 letters, digits, spaces or any of . _ - @, and not begin with a sign",
    })
    .describe("Who holds it; the audit log names callers by it."),
  role: z.enum(roles),
  expiresIn: z
    .string()
    .transform((text, context) => {
      try {
        const durationMs = parseDurationMs(text);
        if (durationMs > 0 && durationMs <= expiresInMsMax) return durationMs;
        context.addIssue("must be more than nothing and at most ten years");
      } catch (error) {
        if (!(error instanceof UnitError)) throw error;
        context.addIssue("must be a duration such as 30d or 12h");
      }
      return z.NEVER;
    })
    .optional()
    .describe("A duration such as 30d or 12h; a token without it stays until it is revoked."),
});

export type TokenWish = z.output<typeof tokenWishSchema>;
export type NewTokenView = z.output<typeof newTokenSchema>;
export type TokenView = z.output<typeof tokenSchema>;
export type TokenListView = z.output<typeof listSchema>;

export interface NewToken {
  readonly name: string;
  readonly role: Role;
  /** SHA-256 of the secret, in hexadecimal. */
  readonly hash: string;
  /** Undefined for tokens that do not expire. */
  readonly expiresInMs: number | undefined;
}

/** The tokens as the API sees them. */
export interface TokenPort {
  /** The newest first. */
  list(page: {
    readonly limit: number;
    readonly cursor: string | undefined;
  }): Promise<TokenListView>;
  create(token: NewToken): Promise<TokenView>;
  /** False when there is no such token; revoking twice is revoking once. */
  revoke(id: string): Promise<boolean>;
}

/** Makes a token. What it gives is the only place that shows the secret. */
export async function makeToken(
  tokens: Pick<TokenPort, "create">,
  wish: TokenWish,
): Promise<NewTokenView> {
  const token = createSecret();
  const { name, role, expiresIn: expiresInMs } = wish;
  return { ...(await tokens.create({ name, role, hash: hashSecret(token), expiresInMs })), token };
}

/** What the audit log says of a token that is made. */
export function aboutToken({ name, role, expiresIn }: TokenWish): {
  readonly name: string;
  readonly role: Role;
  readonly expiresIn?: string;
} {
  return {
    name,
    role,
    ...(expiresIn === undefined ? {} : { expiresIn: formatDurationMs(expiresIn) }),
  };
}

const path = "/api/v1/tokens";
const pageSizeMax = 500;

export function tokenRoutes(tokens: TokenPort): readonly Route[] {
  return [
    defineRoute({
      method: "GET",
      path,
      summary: "Every token, newest first, without the secret.",
      access: "admin",
      query: z.strictObject({
        limit: z.coerce.number().pipe(z.int().min(1).max(pageSizeMax)).default(pageSizeMax),
        cursor: z
          .string()
          .regex(/^[\w-]{1,400}$/, { error: "must be a cursor as an answer gave it" })
          .optional()
          .describe("`next` of the page before."),
      }),
      responses: {
        description: "One page of tokens. Those that have been over for 30 days are forgotten.",
        schema: listSchema,
      },
      handle: async ({ query: { limit, cursor } }) => ({
        json: await tokens.list({ limit, cursor }),
      }),
    }),
    defineRoute({
      method: "POST",
      path,
      summary: "Makes a token. The answer is the only place that shows it.",
      access: "admin",
      action: "token.create",
      auditDetails: ({ body }) => aboutToken(body),
      body: tokenWishSchema,
      responses: { status: 201, description: "The new token.", schema: newTokenSchema },
      handle: async ({ body }) => {
        const made = await makeToken(tokens, body);
        return { status: 201, json: made, target: made.id };
      },
    }),
    defineRoute({
      method: "DELETE",
      path: `${path}/:id`,
      summary: "Revokes a token at once.",
      access: "admin",
      action: "token.revoke",
      params: z.strictObject({ id: z.string().max(64) }),
      errors: ["E_NOT_FOUND"],
      responses: { status: 204, description: "Revoked." },
      handle: async ({ params: { id } }) => {
        if (!(await tokens.revoke(id))) {
          throw new TesseraError("E_NOT_FOUND", { kind: "token", id, list: path });
        }
        return { status: 204, target: id };
      },
    }),
  ];
}
