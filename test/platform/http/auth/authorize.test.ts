import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { send, startTestServer, type TestServer } from "../support.ts";

let open: TestServer;
let closed: TestServer;
beforeAll(async () => {
  open = await startTestServer();
  closed = await startTestServer({ app: { openReads: false, hosts: "any" } });
});
afterAll(async () => {
  await Promise.all([open.stop(0), closed.stop(0)]);
});

const thing = { json: { name: "disk" } };
const basic = (password: string) => ({
  authorization: `Basic ${Buffer.from(`me:${password}`).toString("base64")}`,
});

describe("where reads are open", () => {
  it("a read needs no token", async () => {
    expect((await send(open, "GET", "/things/1")).status).toBe(200);
  });

  it("a read with a token is made in its name", async () => {
    const answer = await send(open, "GET", "/things/1", { token: "inject" });
    expect(answer.json["caller"]).toBe("inject-token");
  });

  it("a change needs a token", async () => {
    const answer = await send(open, "POST", "/things", thing);
    expect(answer.status).toBe(401);
    expect(answer.headers["www-authenticate"]).toBe("Bearer");
    expect(answer.json).toMatchObject({ code: "E_TOKEN_REQUIRED", hint: /operate/ });
  });

  it.each(["operate", "inject", "admin"])("a change takes the role %s", async (token) => {
    expect((await send(open, "POST", "/things", { ...thing, token })).status).toBe(201);
  });

  it("a change refuses a role that does not reach far enough", async () => {
    const answer = await send(open, "POST", "/things", { ...thing, token: "read" });
    expect(answer.status).toBe(403);
    expect(answer.json).toMatchObject({
      code: "E_ROLE_INSUFFICIENT",
      detail: /operate.*read-token has read/,
    });
    expect((await send(open, "DELETE", "/things/1", { token: "inject" })).status).toBe(403);
  });

  it.each(["expired", "revoked", "unknown"])(
    "a token that is %s is refused, also for reads",
    async (token) => {
      const read = await send(open, "GET", "/things/1", { token });
      const change = await send(open, "POST", "/things", { ...thing, token });
      for (const answer of [read, change]) {
        expect([answer.status, answer.json["code"]]).toEqual([401, "E_TOKEN_REFUSED"]);
        expect(answer.json["detail"]).toContain(token);
      }
    },
  );

  it.each([
    "Bearer",
    "Bearer ",
    "Bearer a b",
    "Digest x",
    "admin",
    "Basic !!!",
    `Bearer ${"x".repeat(600)}`,
  ])("the header %j is no token", async (authorization) => {
    const answer = await send(open, "POST", "/things", { ...thing, headers: { authorization } });
    expect([answer.status, answer.json["code"]]).toEqual([401, "E_TOKEN_REFUSED"]);
  });
});

describe("where reads are not open", () => {
  it.each(["/things/1", "/page", "/api/v1/openapi.json", "/api/v1/events"])(
    "%s needs a token",
    async (path) => {
      expect((await send(closed, "GET", path)).status).toBe(401);
    },
  );

  it("a read takes any role", async () => {
    expect((await send(closed, "GET", "/things/1", { token: "read" })).status).toBe(200);
  });

  it("what is open stays open", async () => {
    expect((await send(closed, "GET", "/alive")).status).toBe(200);
  });

  it("a password opens nothing: browsers send it without being asked", async () => {
    const headers = basic("admin");
    const read = await send(closed, "GET", "/things/1", { headers });
    const change = await send(closed, "POST", "/things", { ...thing, headers });
    for (const answer of [read, change]) {
      expect([answer.status, answer.json["code"]]).toEqual([401, "E_TOKEN_REFUSED"]);
      expect(answer.headers["www-authenticate"]).toBe("Bearer");
    }
  });
});
