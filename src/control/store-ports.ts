import {
  type AuditPort,
  type AuditSink,
  type Authenticator,
  hashSecret,
  sameHash,
  type TokenPort,
  type TokenView,
} from "../platform/http/index.ts";
import { auditLog, type Store, type Token, tokens } from "../platform/store/index.ts";
import type { Clock } from "../platform/time/clock.ts";
import { type AdminToken, tokenId } from "./admin-token.ts";

/** The tokens of the API, kept in the store. */
export function createTokenPort(store: Store, clock: Clock): TokenPort {
  return {
    list: async () => (await tokens.list(store.db)).map(toTokenView),
    create: async ({ name, role, hash, expiresInMs }) => {
      const createdAtMs = clock.nowMs();
      const expires = expiresInMs === undefined ? {} : { expiresAtMs: createdAtMs + expiresInMs };
      const token: Token = { id: tokenId(hash), name, role, hash, createdAtMs, ...expires };
      await tokens.add(store.db, token);
      return toTokenView(token);
    },
    revoke: async (id) => {
      if (await tokens.revoke(store.db, { id, atMs: clock.nowMs() })) return true;
      return (await tokens.list(store.db)).some((token) => token.id === id);
    },
  };
}

/** Finds callers by the hash of what they present. */
export function createAuthenticator(
  store: Store,
  options: { readonly clock: Clock; readonly admin: AdminToken },
): Authenticator {
  const { clock, admin } = options;
  return {
    identify: async (secret) => {
      const hash = hashSecret(secret);
      if (admin.kind === "configured" && sameHash(hash, admin.hash)) {
        return { name: "configured", role: "admin" };
      }
      const token = await tokens.findByHash(store.db, hash);
      if (token === undefined || !sameHash(hash, token.hash)) return "unknown";
      if (token.revokedAtMs !== undefined) return "revoked";
      if (token.expiresAtMs !== undefined && token.expiresAtMs <= clock.nowMs()) return "expired";
      return { name: token.name, role: token.role, tokenId: token.id };
    },
  };
}

/** Writes changing calls into the store's audit log. */
export function createAuditSink(store: Store, clock: Clock): AuditSink {
  return {
    record: ({ action, caller, target, outcome, code, problem, requestId }) =>
      auditLog.append(store.db, {
        atMs: clock.nowMs(),
        actor: caller.name,
        action,
        subject: target ?? "",
        details: {
          outcome,
          requestId,
          role: caller.role,
          ...(caller.tokenId === undefined ? {} : { tokenId: caller.tokenId }),
          ...(code === undefined ? {} : { code }),
          ...(problem === undefined ? {} : { problem }),
        },
      }),
  };
}

/** The audit log for reading. */
export function createAuditPort(store: Store): AuditPort {
  return {
    list: async ({ limit, before }) => {
      const page = { limit, ...(before === undefined ? {} : { beforeId: before }) };
      const records = await auditLog.list(store.db, page);
      return records.map(({ atMs, ...record }) => ({
        ...record,
        at: isoTime(atMs),
        details: { ...record.details },
      }));
    },
  };
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
