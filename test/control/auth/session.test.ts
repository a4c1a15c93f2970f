import { describe, expect, it } from "vitest";
import { startPlane } from "../support.ts";

const path = "/api/v1/session";

describe("the session", () => {
  it("of a stranger on this machine may read, and shows where the token is but not the token", async () => {
    await using test = await startPlane();
    const { json, text } = await test.call("GET", path);
    expect(json).toEqual({
      caller: "anonymous",
      role: "read",
      readsNeedToken: false,
      tokenProblem: null,
      tokenInShell: expect.stringMatching(/^\$\(cat '.*admin-token'\)$/),
      version: expect.stringMatching(/^\d/),
      acceptsClusterTokens: false,
    });
    expect(text).not.toContain(test.token);
  });

  it("of a holder of a token has its name and role", async () => {
    await using test = await startPlane();
    const token = await test.tokenOf("operate");
    const { json } = await test.call("GET", path, { token });
    expect(json).toMatchObject({ caller: "a operate", role: "operate", tokenProblem: null });
  });

  it.each([
    ["unknown", "tessera_nobody-made-this"],
    ["malformed", "two words"],
  ])("of a token that is %s says so and lets nobody in", async (problem, token) => {
    await using test = await startPlane();
    const answer = await test.call("GET", path, { token });
    expect(answer.status).toBe(200);
    expect(answer.json).toMatchObject({ caller: null, role: null, tokenProblem: problem });
  });

  it("of a token that was revoked says so", async () => {
    await using test = await startPlane();
    const token = await test.tokenOf("read");
    const { tokens } = (await test.call("GET", "/api/v1/tokens", { token: test.token })).json as {
      tokens: { id: string; name: string }[];
    };
    const id = tokens.find(({ name }) => name === "a read")?.id;
    await test.call("DELETE", `/api/v1/tokens/${id}`, { token: test.token });
    const { json } = await test.call("GET", path, { token });
    expect(json).toMatchObject({ caller: null, tokenProblem: "revoked" });
  });

  it("of a stranger from elsewhere may nothing and tells nothing about this machine", async () => {
    const secret = "x".repeat(40);
    await using test = await startPlane({ host: "0.0.0.0", env: { TESSERA_TOKEN: secret } });
    expect((await test.call("GET", path)).json).toMatchObject({
      caller: null,
      role: null,
      readsNeedToken: true,
      tokenInShell: null,
    });
    expect((await test.call("GET", path, { token: secret })).json).toMatchObject({
      caller: "configured",
      role: "admin",
    });
  });
});

describe("the doctor's history", () => {
  it("is empty before there are two runs, then has what changed and how fast the disk was", async () => {
    await using test = await startPlane();
    const historyPath = "/api/v1/doctor/history";
    const empty = { changes: [], diskSync: [], provenance: "measured" };
    expect((await test.call("GET", historyPath)).json).toEqual(empty);
    await test.plane.doctor.run();
    test.machine.findings["fio"] = { state: "works", reason: "Repaired." };
    await test.plane.doctor.run();
    expect((await test.call("GET", historyPath)).json).toEqual({
      changes: [{ title: "The fio", from: "limited", to: "works", at: expect.any(String) }],
      diskSync: Array.from({ length: 2 }, () => ({
        at: expect.stringMatching(/^\d{4}-/),
        medianMs: 0.4,
        worstMs: 2.5,
      })),
      provenance: "measured",
    });
  });
});
