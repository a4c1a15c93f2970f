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
 * The policy of a page: scripts, styles and requests of this server only, no inline ones. Nothing
 * from another host, no frames, no forms.
 */
export const pagePolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "font-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join("; ");
