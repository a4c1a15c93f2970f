import { describe, expect, it } from "vitest";
import { startPlane } from "./support.ts";

describe("the audit log", () => {
  it("tells what one caller did, in one way, since a moment, and nothing else", async () => {
    await using test = await startPlane();
    await test.tokenOf("read");
    const token = await test.tokenOf("operate");
    await test.call("POST", "/api/v1/doctor/runs", { token });
    const list = async (query: string) => {
      const { status, json } = await test.call("GET", `/api/v1/audit?${query}`);
      expect(status).toBe(200);
      return (json["entries"] as { actor: string; action: string }[]).map(
        ({ actor, action }) => `${actor}: ${action}`,
      );
    };
    // Each is said before it is done, and after.
    const deed = "a operate: doctor.run";
    expect(await list("actor=a%20operate")).toEqual([deed, deed]);
    expect(await list("action=token.create")).toHaveLength(4);
    expect(await list("action=token.create&actor=a%20operate")).toEqual([]);
    expect(await list("since=2999-01-01T00:00:00Z")).toEqual([]);
    expect((await test.call("GET", "/api/v1/audit?since=yesterday")).status).toBe(400);
  });

  it("can be read page by page, newest first", async () => {
    await using test = await startPlane();
    for (let n = 0; n < 5; n++) await test.tokenOf("read");
    const actions: string[] = [];
    let before = "";
    for (let pages = 0; pages < 10; pages++) {
      const page = await test.call("GET", `/api/v1/audit?limit=2${before}`);
      const { entries, next } = page.json as { entries: { action: string }[]; next: number | null };
      expect(entries.length).toBeLessThanOrEqual(2);
      actions.push(...entries.map((entry) => entry.action));
      if (next === null) break;
      before = `&before=${next}`;
    }
    // Each is said before it is done, and after.
    expect(actions).toEqual([...Array.from({ length: 10 }, () => "token.create"), "start"]);
  });

  it("names who did what to what, and what was refused", async () => {
    await using test = await startPlane();
    const token = await test.tokenOf("operate");
    await test.call("POST", "/api/v1/doctor/runs", { token });
    await test.call("DELETE", "/api/v1/tokens/nobody", { token: test.token });
    const { entries } = (await test.call("GET", "/api/v1/audit")).json as { entries: object[] };
    const begun = { phase: "begin", address: "127.0.0.1" };
    expect(entries).toMatchObject([
      {
        action: "token.revoke",
        actor: "first-admin",
        details: { outcome: "refused", code: "E_NOT_FOUND" },
      },
      { action: "token.revoke", subject: "nobody", details: begun },
      { action: "doctor.run", actor: "a operate", details: { outcome: "done", role: "operate" } },
      { action: "doctor.run", details: begun },
      {
        action: "token.create",
        actor: "first-admin",
        subject: expect.stringMatching(/^[\da-f]{16}$/),
        details: { outcome: "done", about: { name: "a operate", role: "operate" } },
      },
      { action: "token.create", details: { ...begun, about: { role: "operate" } } },
      { action: "start", actor: "tessera", subject: test.plane.url },
    ]);
  });

  it("refuses page sizes that are no such", async () => {
    await using test = await startPlane();
    for (const limit of ["0", "501", "x", "1.5", ""]) {
      expect((await test.call("GET", `/api/v1/audit?limit=${limit}`)).status).toBe(400);
    }
  });
});
