import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { describe, expect, it, onTestFinished } from "vitest";
import { createFaultClient } from "../../../src/hardware/client/index.ts";
import { createRealClock, VirtualClock } from "../../../src/platform/time/index.ts";
import { waitUntil } from "../../support/wait-until.ts";
import { startTestApi, xidRequest } from "../api/support.ts";

const clock = createRealClock();

/** A server that answers as told; its address. */
async function answering(listener: RequestListener): Promise<string> {
  const server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

describe("a failure of the fault API", () => {
  it("is an error that says where, when nobody listens", async () => {
    const client = createFaultClient({ url: "http://127.0.0.1:1", token: "t", clock });
    for (const call of [
      () => client.list(),
      () => client.get("x"),
      () => client.health(),
      () => client.inject(xidRequest),
      () => client.revert("x"),
    ]) {
      await expect(call()).rejects.toMatchObject({
        code: "E_HW_API_UNREACHABLE",
        message: expect.stringContaining("http://127.0.0.1:1"),
        cause: expect.anything(),
      });
    }
  });

  it("is the API's own, with its code, words, hint and details", async () => {
    const api = await startTestApi();
    api.findings.push({ rule: "cooldown", verdict: "refuse", reason: "too soon" });
    await expect(api.as("alice").inject(xidRequest)).rejects.toMatchObject({
      code: "E_HW_REFUSED",
      exitCode: 1,
      message: expect.stringMatching(/was refused: cooldown: too soon\.$/),
      hint: expect.stringContaining("tessera hw plan"),
      details: { status: 409, findings: expect.any(Array), requestId: expect.any(String) },
    });
    await expect(api.as("alice").get("none")).rejects.toMatchObject({
      code: "E_HW_FAULT_UNKNOWN",
      message: "There is no hardware fault none.",
    });
  });

  it.each([
    ["something else that listens there", 200, "<html>hello</html>"],
    ["a fault of another shape", 200, '{"fault_id":1}'],
    ["a proxy in between", 502, "bad gateway"],
  ])("is seen with %s", async (_, status, body) => {
    const url = await answering((_request, response) => response.writeHead(status).end(body));
    const client = createFaultClient({ url, token: "t", clock });
    await expect(client.get("x")).rejects.toMatchObject({ code: "E_HW_API_UNREACHABLE" });
  });

  it("is one of a kind that this version does not know", async () => {
    const problem = { code: "E_FROM_THE_FUTURE", detail: "It was too late." };
    const url = await answering((_request, response) =>
      response.writeHead(409).end(JSON.stringify(problem)),
    );
    const client = createFaultClient({ url, token: "t", clock });
    await expect(client.get("x")).rejects.toMatchObject({
      code: "E_HW_FAILED",
      message: expect.stringContaining("It was too late (E_FROM_THE_FUTURE)"),
    });
  });

  it("is a silence that lasts too long", async () => {
    const url = await answering(() => undefined);
    const time = new VirtualClock();
    const client = createFaultClient({ url, token: "t", clock: time });
    const refused = expect(client.get("x")).rejects.toMatchObject({ code: "E_HW_API_UNREACHABLE" });
    await time.advance(15_000);
    await refused;
  });
});

describe("a renewal", () => {
  it("waits three seconds for each answer and not longer", async () => {
    let heard = 0;
    const url = await answering((_request, response) => {
      heard += 1;
      if (heard > 1) response.end('{"faults":[]}');
    });
    const time = new VirtualClock();
    const client = createFaultClient({ url, token: "t", clock: time });
    const renewed = client.renew("r");
    await waitUntil("the first was heard", () => heard === 1);
    await time.advance(2_999);
    expect(heard).toBe(1);
    await time.advance(1);
    await time.advance(250);
    expect(await renewed).toEqual([]);
    expect(heard).toBe(2);
  });
});

describe("a call", () => {
  it("is tried again only where that cannot do harm", async () => {
    const seen: string[] = [];
    const url = await answering((request, response) => {
      seen.push(request.url ?? "");
      if (seen.length === 1 || request.url === "/api/v1/faults") request.destroy();
      else response.end('{"faults":[]}');
    });
    const client = createFaultClient({ url, token: "t", clock });
    expect(await client.renew("r")).toEqual([]);
    expect(seen).toEqual(["/api/v1/runs/r/renew", "/api/v1/runs/r/renew"]);
    await expect(client.inject(xidRequest)).rejects.toMatchObject({ code: "E_HW_API_UNREACHABLE" });
    expect(seen).toHaveLength(3);
  });

  it("never sends its token to another machine without encryption", () => {
    const open = (url: string) => createFaultClient({ url, token: "secret", clock });
    expect(() => open("http://198.51.100.1:8080")).toThrow(/not encrypted/);
    expect(() => open("https://198.51.100.1:8080")).not.toThrow();
    expect(() => open("http://localhost:8080")).not.toThrow();
  });

  it("does not follow the way to somewhere else with its token", async () => {
    const stolen: unknown[] = [];
    const thief = await answering((request, response) => {
      stolen.push(request.headers.authorization);
      response.end("{}");
    });
    const url = await answering((_request, response) =>
      response.writeHead(307, { location: `${thief}/` }).end(),
    );
    const client = createFaultClient({ url, token: "secret", clock });
    await expect(client.get("x")).rejects.toMatchObject({ code: "E_HW_API_UNREACHABLE" });
    expect(stolen).toEqual([]);
  });

  it("ends with its signal", async () => {
    const url = await answering(() => undefined);
    const client = createFaultClient({ url, token: "t", clock });
    const reason = new Error("enough");
    await expect(client.get("x", { signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
  });

  it("asks for its token each time", async () => {
    const seen: unknown[] = [];
    const url = await answering((request, response) => {
      seen.push(request.headers.authorization);
      response.end('{"faults":[]}');
    });
    let number = 0;
    const client = createFaultClient({ url, token: async () => `t${++number}`, clock });
    await client.list();
    await client.list({ run: "r", namespace: "n", activeOnly: true });
    expect(seen).toEqual(["Bearer t1", "Bearer t2"]);
  });
});

describe("taking a fault back", () => {
  it("goes on asking until it is over, and says what was seen when it never is", async () => {
    const api = await startTestApi();
    await api.as("alice").inject({ ...xidRequest, name: "slow" });
    api.kube.interfere = ({ method, path }) =>
      method === "PATCH" && path.includes("/nodes/") ? { status: 500 } : undefined;
    api.kube.edit("/api/v1/nodes", "gpu-1", (node) => {
      node["spec"] = { unschedulable: true };
      node.metadata["annotations"] = {
        "tessera.dev/cordoned-for":
          api.fault("slow")?.spec.action.kind === "xid" ? correlation(api) : "",
      };
    });
    await expect(api.as("alice").revert("slow", { timeoutMs: 1 })).rejects.toMatchObject({
      code: "E_HW_TIMEOUT",
      message: expect.stringContaining("slow is"),
    });
    api.kube.interfere = () => undefined;
    expect((await api.as("alice").revert("slow")).state).toBe("reverted");
  });
});

function correlation(api: Awaited<ReturnType<typeof startTestApi>>): string {
  const action = api.fault("slow")?.spec.action;
  return action?.kind === "xid" ? action.correlationId : "";
}
