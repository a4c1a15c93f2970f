import { describe, expect, it } from "vitest";
import { parseRetryAfterMs } from "../../../../src/platform/kube/http/retry-after.ts";

const nowMs = Date.parse("2026-01-01T00:00:00Z");

describe("Retry-After", () => {
  it.each([
    ["0", 0],
    [" 7 ", 7_000],
    ["Thu, 01 Jan 2026 00:00:05 GMT", 5_000],
    ["Wed, 31 Dec 2025 00:00:05 GMT", 0],
  ])("%j asks for %d ms", (header, expected) => {
    expect(parseRetryAfterMs(header, nowMs)).toBe(expected);
  });

  it.each([undefined, "", "soon", "-1", "1.5", "9".repeat(12)])("%j asks for nothing", (header) => {
    expect(parseRetryAfterMs(header, nowMs)).toBeUndefined();
  });
});
