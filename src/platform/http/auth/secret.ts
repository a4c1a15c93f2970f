import { createHash, randomBytes, timingSafeEqual } from "node:crypto";

// 256 bits: a stored hash needs no salt and no slow function, because no one can guess the secret.
const secretBytes = 32;

/** Tells Tessera's tokens apart from others, for people, for log redaction and for secret scanners. */
const secretPrefix = "tessera_";

/** A new token, as its holder keeps it. Tessera itself keeps only its hash. */
export function createSecret(): string {
  return secretPrefix + randomBytes(secretBytes).toString("base64url");
}

/** True for what looks like a token that Tessera made. */
export function isOwnSecret(secret: string): boolean {
  return secret.startsWith(secretPrefix);
}

/** What is stored of a token: its SHA-256, in hexadecimal. */
export function hashSecret(secret: string): string {
  return createHash("sha256").update(secret, "utf8").digest("hex");
}

/** Compares two hashes in a time that does not tell where they differ. */
export function sameHash(one: string, other: string): boolean {
  const left = Buffer.from(one, "hex");
  const right = Buffer.from(other, "hex");
  return left.length === right.length && left.length > 0 && timingSafeEqual(left, right);
}
