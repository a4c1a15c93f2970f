import { describe, expect, it } from "vitest";
import { startPlane } from "./support.ts";

describe("tokens", () => {
  it("are listed in pages, the newest first, each once", async () => {
    await using test = await startPlane();
    const { token } = test;
    test.clock.aheadMs = 1000;
    await test.tokenOf("read", { name: "older" });
    test.clock.aheadMs = 2000;
    await test.tokenOf("read", { name: "newer" });
    const page = async (query: string) =>
      (await test.call("GET", `/api/v1/tokens?${query}`, { token })).json as {
        tokens: { name: string }[];
        next: string | null;
      };
    const first = await page("limit=2");
    const second = await page(`limit=2&cursor=${first.next}`);
    const names = [...first.tokens, ...second.tokens].map(({ name }) => name);
    expect(names).toEqual(["newer", "older", "first-admin"]);
    expect(second.next).toBeNull();
    const odd = await test.call("GET", "/api/v1/tokens?cursor=WyJhIiwiYiJd", { token });
    expect(odd.status).toBe(400);
  });

  it("are forgotten a month after their end, when the next is made, and not before", async () => {
    await using test = await startPlane();
    await test.tokenOf("read", { name: "brief", expiresIn: "1h" });
    const names = async () => {
      const { json } = await test.call("GET", "/api/v1/tokens", { token: test.token });
      return (json as { tokens: { name: string }[] }).tokens.map(({ name }) => name);
    };
    test.clock.aheadMs = 29 * 86_400_000;
    await test.tokenOf("read", { name: "second" });
    expect(await names()).toContain("brief");
    test.clock.aheadMs = 31 * 86_400_000;
    await test.tokenOf("read", { name: "third" });
    expect(await names()).not.toContain("brief");
  });
});
