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

const listMax = 1000;

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

  /** Every token, revoked ones too, oldest first; at most 1000. */
  async list(db: Queryable): Promise<Token[]> {
    const query = db.selectFrom("tokens").selectAll().orderBy("created_at").orderBy("id");
    return (await query.limit(listMax).execute()).map(toToken);
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
