import { describe, expect, test } from "vitest";
import { redact } from "../../../src/platform/log/index.ts";
import { ensureRunSecret, isRunToken, runToken } from "../../../src/validation/collect/index.ts";
import { newStore } from "./support.ts";

describe("run tokens", () => {
  test("the secret is made once, also by two at the same time", async () => {
    const store = await newStore();
    const secrets = await Promise.all([ensureRunSecret(store), ensureRunSecret(store)]);
    expect(new Set([...secrets, await ensureRunSecret(store)]).size).toBe(1);
    expect(secrets[0]?.length).toBeGreaterThanOrEqual(43);
    expect(await ensureRunSecret(await newStore())).not.toBe(secrets[0]);
  });

  test("a token is that of its run and of no other", () => {
    const token = runToken("secret", "run-1");
    expect(isRunToken("secret", "run-1", token)).toBe(true);
    expect(isRunToken("secret", "run-2", token)).toBe(false);
    expect(isRunToken("other", "run-1", token)).toBe(false);
    expect(isRunToken("secret", "run-1", "")).toBe(false);
    expect(isRunToken("secret", "run-1", `${token}x`)).toBe(false);
  });

  test("logs hide it", () => {
    const token = runToken("secret", "run-1");
    expect(redact(`posting with ${token} now`)).not.toContain(token);
  });
});
