import { createHmac } from "node:crypto";

/**
 * Proves to a webhook who sent a message and when: the hexadecimal HMAC-SHA256 of `SECONDS.BODY`.
 * docs/notifications.md shows how it is checked.
 */
export function signatureOf(
  body: string,
  options: { readonly secret: string; readonly atMs: number },
): string {
  const seconds = Math.floor(options.atMs / 1000);
  const digest = createHmac("sha256", options.secret).update(`${seconds}.${body}`).digest("hex");
  return `t=${seconds},v1=${digest}`;
}
