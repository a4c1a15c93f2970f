import { createHash, subtle } from "node:crypto";

/** Fewer bytes are hashed sooner than the pool could be asked to. */
const poolFromBytes = 32 * 1024;

/**
 * The SHA-256 of some bytes in hex. It is taken in libuv's pool, so that several at the same time use
 * every core; the bytes are copied before this returns, and may change after that.
 */
export async function sha256(bytes: Uint8Array): Promise<string> {
  if (bytes.length < poolFromBytes) return createHash("sha256").update(bytes).digest("hex");
  const hash = await subtle.digest("SHA-256", bytes);
  return Buffer.from(hash).toString("hex");
}
