import { describe, expect, it } from "vitest";
import { tokenState } from "../../../web/src/pages/tokens/token-words.ts";

describe("the state of a token", () => {
  const nowMs = Date.parse("2026-03-01T00:00:00Z");

  it("is good until it ends or is revoked", () => {
    expect(tokenState({ expiresAt: null, revokedAt: null }, nowMs)).toBe("good");
    expect(tokenState({ expiresAt: "2026-03-02T00:00:00Z", revokedAt: null }, nowMs)).toBe("good");
  });

  it("is not good at the moment it ends, nor once revoked", () => {
    expect(tokenState({ expiresAt: "2026-03-01T00:00:00Z", revokedAt: null }, nowMs)).toBe(
      "expired",
    );
    expect(tokenState({ expiresAt: null, revokedAt: "2026-02-01T00:00:00Z" }, nowMs)).toBe(
      "revoked",
    );
  });
});
