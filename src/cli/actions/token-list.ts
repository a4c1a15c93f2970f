import { createTokenPort } from "../../control/store-ports.ts";
import { exitCodes } from "../../platform/errors/index.ts";
import type { TokenPort, TokenView } from "../../platform/http/index.ts";
import { withExistingStore } from "../existing-store.ts";
import type { Action } from "../invocation.ts";
import { writeJson, writeLine } from "../output.ts";
import { tableOf } from "../text-table.ts";

const pageSize = 500;
const pagesMax = 20;

/** `tessera token list`: who has one, and whether it is still taken. */
export const run: Action = async (invocation) => {
  const { globals, io, clock } = invocation;
  const tokens = await withExistingStore(invocation, ({ store }) =>
    readTokens(createTokenPort(store, clock)),
  );
  if (globals.json) writeJson(io.stdout, { tokens });
  else if (tokens.length === 0) writeLine(io.stdout, "There is no token in the store.");
  else for (const line of tokenLines(tokens, clock.nowMs())) writeLine(io.stdout, line);
  return exitCodes.good;
};

async function readTokens(port: Pick<TokenPort, "list">): Promise<readonly TokenView[]> {
  const found: TokenView[] = [];
  let cursor: string | undefined;
  for (let page = 0; page < pagesMax; page++) {
    const { tokens, next } = await port.list({ limit: pageSize, cursor });
    found.push(...tokens);
    if (next === null) break;
    cursor = next;
  }
  return found;
}

function tokenLines(tokens: readonly TokenView[], nowMs: number): readonly string[] {
  const rows = tokens.map((token) => {
    const { id, name, role, createdAt, expiresAt } = token;
    return [id, name, role, stateOf(token, nowMs), createdAt, expiresAt ?? "-"];
  });
  return tableOf([["ID", "NAME", "ROLE", "STATE", "MADE", "EXPIRES"], ...rows]);
}

function stateOf({ expiresAt, revokedAt }: TokenView, nowMs: number): string {
  if (revokedAt !== null) return "revoked";
  return expiresAt !== null && Date.parse(expiresAt) <= nowMs ? "expired" : "good";
}
