import type { Selectable } from "kysely";
import type { Queryable, TokenRole, TokenTable } from "./schema.ts";

/** A token as it is kept: who may do what until when, and the hash of its secret. */
export interface Token {
  readonly id: string;
  readonly name: string;
  readonly role: TokenRole;
  /** SHA-256 of the secret, in hexadecimal. The secret itself is never kept. */
  readonly hash: string;
  readonly createdAtMs: number;
  /** Not accepted from this time on; absent for a token without end. */
  readonly expiresAtMs?: number;
  /** When it was withdrawn; absent while it is good. */
  readonly revokedAtMs?: number;
}

/** A place in the list, behind which the next page begins. */
export interface TokenPlace {
  readonly createdAtMs: number;
  readonly id: string;
}

const pageMax = 1000;

/** The tokens of the HTTP API. Whether one is expired or revoked is for the caller to judge. */
export const tokens = {
  /** Keeps a new token. Rejects when its id or hash is known already. */
  async add(db: Queryable, token: Omit<Token, "revokedAtMs">): Promise<void> {
    const { id, name, role, hash, createdAtMs, expiresAtMs } = token;
    await db
      .insertInto("tokens")
      .values({ id, name, role, hash, created_at: createdAtMs, expires_at: expiresAtMs ?? null })
      .execute();
  },

  async findByHash(db: Queryable, hash: string): Promise<Token | undefined> {
    const query = db.selectFrom("tokens").selectAll().where("hash", "=", hash);
    const row = await query.executeTakeFirst();
    return row === undefined ? undefined : toToken(row);
  },

  async findById(db: Queryable, id: string): Promise<Token | undefined> {
    const row = await db.selectFrom("tokens").selectAll().where("id", "=", id).executeTakeFirst();
    return row === undefined ? undefined : toToken(row);
  },

  /** Tokens, revoked ones too, newest first; at most 1000 a page. */
  async list(
    db: Queryable,
    page: { readonly limit?: number; readonly after?: TokenPlace | undefined } = {},
  ): Promise<Token[]> {
    let query = db.selectFrom("tokens").selectAll();
    if (page.after !== undefined) {
      const { createdAtMs, id } = page.after;
      query = query.where((of) =>
        of.or([
          of("created_at", "<", createdAtMs),
          of.and([of("created_at", "=", createdAtMs), of("id", "<", id)]),
        ]),
      );
    }
    const newest = query.orderBy("created_at", "desc").orderBy("id", "desc");
    const rows = await newest.limit(Math.min(page.limit ?? pageMax, pageMax)).execute();
    return rows.map(toToken);
  },

  /** True when a token of this role is neither revoked nor over. */
  async hasGood(
    db: Queryable,
    wanted: { readonly role: TokenRole; readonly atMs: number },
  ): Promise<boolean> {
    const row = await db
      .selectFrom("tokens")
      .select("id")
      .where("role", "=", wanted.role)
      .where("revoked_at", "is", null)
      .where((of) => of.or([of("expires_at", "is", null), of("expires_at", ">", wanted.atMs)]))
      .executeTakeFirst();
    return row !== undefined;
  },

  /** Forgets tokens that were revoked or over before a time. */
  async forgetOver(db: Queryable, beforeMs: number): Promise<void> {
    await db
      .deleteFrom("tokens")
      .where((of) => of.or([of("revoked_at", "<", beforeMs), of("expires_at", "<", beforeMs)]))
      .execute();
  },

  /** Withdraws a token; false when there is none with this id that was good. */
  async revoke(
    db: Queryable,
    token: { readonly id: string; readonly atMs: number },
  ): Promise<boolean> {
    const result = await db
      .updateTable("tokens")
      .set({ revoked_at: token.atMs })
      .where("id", "=", token.id)
      .where("revoked_at", "is", null)
      .executeTakeFirst();
    return result.numUpdatedRows > 0n;
  },
};

function toToken(row: Selectable<TokenTable>): Token {
  const { id, name, role, hash } = row;
  return {
    id,
    name,
    role,
    hash,
    createdAtMs: row.created_at,
    ...(row.expires_at === null ? {} : { expiresAtMs: row.expires_at }),
    ...(row.revoked_at === null ? {} : { revokedAtMs: row.revoked_at }),
  };
}
