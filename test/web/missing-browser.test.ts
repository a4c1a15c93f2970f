import { describe, expect, it } from "vitest";
import { isBrowserRequired } from "../e2e/browser/support/missing-browser.ts";

describe("a machine without a browser", () => {
  it("fails the suite where it builds, or where it is asked to", () => {
    expect(isBrowserRequired({ CI: "true" })).toBe(true);
    expect(isBrowserRequired({ TESSERA_REQUIRE_BROWSER: "1" })).toBe(true);
  });

  it("skips it at a desk, or where it is told to", () => {
    expect(isBrowserRequired({})).toBe(false);
    expect(isBrowserRequired({ CI: "false" })).toBe(false);
    expect(isBrowserRequired({ CI: "true", TESSERA_REQUIRE_BROWSER: "0" })).toBe(false);
  });
});
