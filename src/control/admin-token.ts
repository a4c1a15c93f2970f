import { join } from "node:path";
import { TesseraError } from "../platform/errors/index.ts";
import { readTextFile, writeFileAtomic } from "../platform/files/index.ts";
import { createSecret, hashSecret, isLoopback, parseBearer } from "../platform/http/index.ts";
import { type Store, tokens } from "../platform/store/index.ts";
import type { Clock } from "../platform/time/clock.ts";

/** Where the administrator's token of this run comes from. */
export type AdminToken =
  /** Given by environment or file; valid for this run, not kept in the store. */
  | { readonly kind: "configured"; readonly source: string; readonly hash: string }
  /** Made now and written to a file. */
  | { readonly kind: "made"; readonly path: string }
  /** One in the store is still good; its file may be there or not. */
  | { readonly kind: "kept"; readonly path: string };

export interface AdminTokenOptions {
  readonly dataDir: string;
  readonly host: string;
  readonly tokenFile: string | undefined;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly store: Store;
  readonly clock: Clock;
}

const charactersMin = 32;
const tokenFileBytesMax = 4096;

/**
 * Makes sure that somebody can administer this installation: takes the configured token, or else
 * makes one when the store has none that is good.
 *
 * @throws E_TOKEN_SOURCE for a configured token nobody should use; E_TOKEN_NOT_CONFIGURED where
 *   other machines can connect and nobody ever decided on a token.
 */
export async function ensureAdminToken(options: AdminTokenOptions): Promise<AdminToken> {
  const configured = await configuredToken(options);
  if (configured !== undefined) return configured;
  const { dataDir, host, store, clock } = options;
  const path = join(dataDir, "admin-token");
  const nowMs = clock.nowMs();
  if (await tokens.hasGood(store.db, { role: "admin", atMs: nowMs })) return { kind: "kept", path };
  if (!isLoopback(host)) throw new TesseraError("E_TOKEN_NOT_CONFIGURED", { host });
  const secret = createSecret();
  const hash = hashSecret(secret);
  // The file first: a token in the store whose secret nobody has would lock everybody out.
  await writeFileAtomic(path, `${secret}\n`, { mode: 0o600 });
  await tokens.add(store.db, {
    id: tokenId(hash),
    name: "first-admin",
    role: "admin",
    hash,
    createdAtMs: nowMs,
  });
  return { kind: "made", path };
}

/** A token's public name: derived from its hash, which gives nothing away and never repeats. */
export function tokenId(hash: string): string {
  return hash.slice(0, 16);
}

async function configuredToken(options: AdminTokenOptions): Promise<AdminToken | undefined> {
  const { env, tokenFile } = options;
  const given = env["TESSERA_TOKEN"];
  const source = given === undefined ? tokenFile : "TESSERA_TOKEN";
  if (source === undefined) return undefined;
  const text = given ?? (await readTextFile(source, { sizeBytesMax: tokenFileBytesMax }));
  const secret = text.trim();
  const refuse = (problem: string) => {
    throw new TesseraError("E_TOKEN_SOURCE", { source, problem, charactersMin });
  };
  if (secret.length < charactersMin) refuse(`it has only ${secret.length} characters.`);
  // By what reads it later: a token that nobody can present would lock everybody out.
  if (parseBearer(`Bearer ${secret}`) === undefined) {
    refuse("it has characters that a header cannot carry, or too many of them.");
  }
  return { kind: "configured", source, hash: hashSecret(secret) };
}
