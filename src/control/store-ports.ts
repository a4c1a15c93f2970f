import {
  type AuditIntent,
  type AuditPort,
  type AuditSink,
  type Authenticator,
  hashSecret,
  isOwnSecret,
  sameHash,
  type TokenPort,
  type TokenView,
} from "../platform/http/index.ts";
import {
  auditLog,
  type JsonObject,
  type Queryable,
  type Store,
  type Token,
  type TokenPlace,
  tokens,
} from "../platform/store/index.ts";
import type { Clock } from "../platform/time/clock.ts";
import { type AdminToken, tokenId } from "./admin-token.ts";
import { decodeCursor, encodeCursor, wholeNumber } from "./fleet/cursor.ts";

/** Tokens that have been over for so long are forgotten; the audit log keeps who had them. */
const overForMsMax = 30 * 86_400_000;

/** The tokens of the API, kept in the store, or changed as a part of one transaction on it. */
export function createTokenPort(store: { readonly db: Queryable }, clock: Clock): TokenPort {
  return {
    list: async ({ limit, cursor }) => {
      const after = placeOf(cursor);
      // One more tells whether there is a next page.
      const found = await tokens.list(store.db, { limit: limit + 1, after });
      const shown = found.slice(0, limit);
      const last = found.length > limit ? shown.at(-1) : undefined;
      return {
        tokens: shown.map(toTokenView),
        next: last === undefined ? null : encodeCursor([`${last.createdAtMs}`, last.id]),
      };
    },
    create: async ({ name, role, hash, expiresInMs }) => {
      const createdAtMs = clock.nowMs();
      const expires = expiresInMs === undefined ? {} : { expiresAtMs: createdAtMs + expiresInMs };
      const token: Token = { id: tokenId(hash), name, role, hash, createdAtMs, ...expires };
      await tokens.forgetOver(store.db, createdAtMs - overForMsMax);
      await tokens.add(store.db, token);
      return toTokenView(token);
    },
    revoke: async (id) => {
      if (await tokens.revoke(store.db, { id, atMs: clock.nowMs() })) return true;
      return (await tokens.findById(store.db, id)) !== undefined;
    },
  };
}

/** Finds callers by the hash of what they present. */
export function createAuthenticator(
  store: Store,
  options: { readonly clock: Clock; readonly admin: AdminToken },
): Authenticator {
  const { clock, admin } = options;
  const configured = { name: "configured", role: "admin" } as const;
  const isConfigured = (hash: string) => admin.kind === "configured" && sameHash(hash, admin.hash);
  const authenticator: Authenticator = {
    identify: async (secret) => {
      const hash = hashSecret(secret);
      if (isConfigured(hash)) return configured;
      const token = await tokens.findByHash(store.db, hash);
      if (token === undefined || !sameHash(hash, token.hash)) return "unknown";
      if (token.revokedAtMs !== undefined) return "revoked";
      if (token.expiresAtMs !== undefined && token.expiresAtMs <= clock.nowMs()) return "expired";
      return { name: token.name, role: token.role, tokenId: token.id };
    },
    identifyCheaply: async (secret) => {
      if (isConfigured(hashSecret(secret))) return configured;
      // One read by an index; and what does not even look like ours costs nothing.
      const found = isOwnSecret(secret) ? await authenticator.identify(secret) : "unknown";
      return typeof found === "string" ? undefined : found;
    },
  };
  return authenticator;
}

/** Writes changing calls into the store's audit log. */
export function createAuditSink(store: Store, clock: Clock): AuditSink {
  const append = (intent: AuditIntent, how: JsonObject) => {
    const { action, caller, target = "", requestId, address, details } = intent;
    const { name: actor, role, tokenId } = caller;
    return auditLog.append(store.db, {
      atMs: clock.nowMs(),
      actor,
      action,
      subject: target,
      details: {
        ...how,
        requestId,
        role,
        address,
        ...(tokenId === undefined ? {} : { tokenId }),
        ...(details === undefined ? {} : { about: details }),
      },
    });
  };
  return {
    begin: (intent) => append(intent, { phase: "begin" }),
    record: ({ outcome, code, problem, ...intent }) =>
      append(intent, {
        outcome,
        ...(code === undefined ? {} : { code }),
        ...(problem === undefined ? {} : { problem }),
      }),
  };
}

/** The audit log for reading. */
export function createAuditPort(store: Store): AuditPort {
  return {
    list: async ({ limit, before, actor, action, since }) => {
      const records = await auditLog.list(store.db, {
        limit,
        ...(before === undefined ? {} : { beforeId: before }),
        ...(actor === undefined ? {} : { actor }),
        ...(action === undefined ? {} : { action }),
        ...(since === undefined ? {} : { sinceMs: Date.parse(since) }),
      });
      return records.map(({ atMs, ...record }) => ({
        ...record,
        at: isoTime(atMs),
        details: { ...record.details },
      }));
    },
  };
}

/** @throws E_REQUEST_INVALID for a cursor that no answer gave. */
function placeOf(cursor: string | undefined): TokenPlace | undefined {
  const route = "GET /api/v1/tokens";
  const parts = decodeCursor(cursor, route);
  return parts && { createdAtMs: wholeNumber(parts[0], route), id: parts[1] };
}

function toTokenView(token: Token): TokenView {
  const { id, name, role, createdAtMs, expiresAtMs, revokedAtMs } = token;
  return {
    id,
    name,
    role,
    createdAt: isoTime(createdAtMs),
    expiresAt: expiresAtMs === undefined ? null : isoTime(expiresAtMs),
    revokedAt: revokedAtMs === undefined ? null : isoTime(revokedAtMs),
  };
}

function isoTime(timeMs: number): string {
  return new Date(timeMs).toISOString();
}
