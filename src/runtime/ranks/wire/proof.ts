import { createHmac, randomBytes, timingSafeEqual } from "node:crypto";

const nonceBytes = 16;

/** Something that was never said before, so that no old answer fits. */
export function newNonce(): string {
  return randomBytes(nonceBytes).toString("hex");
}

/** A secret for one run. */
export function newSecret(): string {
  return randomBytes(32).toString("base64url");
}

/** Shows that `side` knows the secret, without saying it; both nonces and the words are bound in. */
export function proofOf(
  secret: string,
  said: {
    readonly side: "client" | "server";
    readonly serverNonce: string;
    readonly clientNonce: string;
    readonly words: string;
  },
): string {
  const { side, serverNonce, clientNonce, words } = said;
  const text = JSON.stringify(["tessera-ranks", side, serverNonce, clientNonce, words]);
  return createHmac("sha256", secret).update(text).digest("hex");
}

/** Whether two proofs are the same, in a time that tells nothing about where they differ. */
export function sameProof(given: unknown, expected: string): boolean {
  if (typeof given !== "string" || given.length !== expected.length) return false;
  return timingSafeEqual(Buffer.from(given), Buffer.from(expected));
}
