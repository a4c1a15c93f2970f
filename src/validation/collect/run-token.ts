import { createHmac } from "node:crypto";
import { createSecret, hashSecret, sameHash } from "../../platform/http/index.ts";
import type { Store } from "../../platform/store/index.ts";

const secretKey = "validation.run-secret";

/**
 * The secret all run tokens of this installation are made from: 256 random bits, made once and kept
 * in the store. Whoever comes first decides; the others read it.
 */
export async function ensureRunSecret(store: Pick<Store, "db">): Promise<string> {
  const find = () =>
    store.db.selectFrom("meta").select("value").where("key", "=", secretKey).executeTakeFirst();
  const found = await find();
  if (found !== undefined) return found.value;
  await store.db
    .insertInto("meta")
    .values({ key: secretKey, value: createSecret() })
    .onConflict((conflict) => conflict.column("key").doNothing())
    .execute();
  const made = await find();
  if (made === undefined) throw new Error("the secret of runs was just written");
  return made.value;
}

/**
 * The token with which one run hands in its result: HMAC-SHA256 of its id, with the prefix by which
 * logs know what to hide. It opens nothing else.
 */
export function runToken(secret: string, runId: string): string {
  return `tessera_${createHmac("sha256", secret).update(runId, "utf8").digest("base64url")}`;
}

/** Whether a token is that of a run, in a time that does not tell where the two differ. */
export function isRunToken(secret: string, runId: string, token: string): boolean {
  return sameHash(hashSecret(token), hashSecret(runToken(secret, runId)));
}
