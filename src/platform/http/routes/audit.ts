import { z } from "zod";
import { named } from "../api-schemas.ts";
import { defineRoute, type Route } from "../route.ts";

const pageSizeDefault = 50;
const pageSizeMax = 500;

export const auditEntrySchema = named(
  "AuditEntry",
  z.strictObject({
    id: z.int(),
    at: z.iso.datetime(),
    actor: z.string(),
    action: z.string(),
    subject: z.string(),
    details: z.record(z.string(), z.unknown()),
  }),
);

export type AuditEntryView = z.output<typeof auditEntrySchema>;

/** Which entries are asked for. */
export interface AuditQuery {
  readonly limit: number;
  /** Only those with a smaller id. */
  readonly before?: number | undefined;
  readonly actor?: string | undefined;
  readonly action?: string | undefined;
  /** A moment, as ISO 8601 writes it. */
  readonly since?: string | undefined;
}

/** The audit log as the API sees it. */
export interface AuditPort {
  /** The newest entries first. */
  list(query: AuditQuery): Promise<readonly AuditEntryView[]>;
}

const wholeNumber = (options: { readonly max: number }) =>
  z.coerce.number().pipe(z.int().min(1).max(options.max));

export function auditRoutes(audit: AuditPort): readonly Route[] {
  return [
    defineRoute({
      method: "GET",
      path: "/api/v1/audit",
      summary: "What was changed and by whom, newest first.",
      access: "read",
      query: z.strictObject({
        limit: wholeNumber({ max: pageSizeMax }).default(pageSizeDefault),
        before: wholeNumber({ max: Number.MAX_SAFE_INTEGER }).optional(),
        actor: z.string().min(1).max(253).optional().describe("Only what this caller did."),
        action: z
          .string()
          .regex(/^[a-z][a-z.-]{0,63}$/, { error: "must be an action such as token.create" })
          .optional()
          .describe("Only this deed, as `token.create`."),
        since: z.iso.datetime().optional().describe("Only what was done from this moment on."),
      }),
      responses: {
        description: "One page of entries.",
        schema: z.strictObject({
          entries: z.array(auditEntrySchema),
          next: z.int().nullable().describe("`before` of the next page; null on the last."),
        }),
      },
      handle: async ({ query: { limit, ...filter } }) => {
        // One more than asked for tells whether there is a next page.
        const found = await audit.list({ limit: limit + 1, ...filter });
        const entries = found.slice(0, limit);
        const next = found.length > limit ? (entries.at(-1)?.id ?? null) : null;
        return { json: { entries, next } };
      },
    }),
  ];
}
