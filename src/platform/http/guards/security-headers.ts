import { createHash } from "node:crypto";

const always = {
  "x-content-type-options": "nosniff",
  "x-frame-options": "DENY",
  "referrer-policy": "no-referrer",
  "cross-origin-resource-policy": "same-origin",
  "cross-origin-opener-policy": "same-origin",
  // Findings and tokens must not stay behind in a cache.
  "cache-control": "no-store",
} as const;

const dataPolicy = "default-src 'none'; frame-ancestors 'none'";

/** Headers for every answer. Data is never a document: nothing in it may load or run. */
export const securityHeaders: Readonly<Record<string, string>> = {
  ...always,
  "content-security-policy": dataPolicy,
};

/**
 * The policy of a page: only the inline styles and scripts given here, by their hashes, and requests
 * to this server. Nothing from another host, no frames, no forms.
 */
export function pagePolicy(inline: {
  readonly styles: readonly string[];
  readonly scripts: readonly string[];
}): string {
  return [
    "default-src 'none'",
    `script-src ${inline.scripts.map(hashSource).join(" ")}`,
    `style-src ${inline.styles.map(hashSource).join(" ")}`,
    "img-src data:",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join("; ");
}

function hashSource(text: string): string {
  return `'sha256-${createHash("sha256").update(text, "utf8").digest("base64")}'`;
}
