import { once } from "node:events";
import { connect, createServer, type Socket } from "node:net";
import { describe, expect, it, vi } from "vitest";
import { z } from "zod";
import { defineRoute } from "../../../src/platform/http/route.ts";
import { startServer } from "../../../src/platform/http/server.ts";
import { createRealClock } from "../../../src/platform/time/real-clock.ts";
import { send, startTestServer } from "./support.ts";

const deadline = { timeout: 15_000, interval: 5 };
const app = { fetch: async () => new Response("hello") };
const clock = createRealClock();
const log = { error: () => {} };

/** What comes back on a raw connection until the other side ends it. */
async function rawAnswer(port: number, write: (socket: Socket) => void): Promise<string> {
  const socket = connect(port, "127.0.0.1");
  await once(socket, "connect");
  let text = "";
  socket.on("data", (chunk) => {
    text += chunk;
  });
  socket.on("error", () => {});
  write(socket);
  await once(socket, "close");
  return text;
}

describe("listening", () => {
  it("takes a free port for 0 and says which", async () => {
    const server = await startServer({ app, host: "127.0.0.1", port: 0, clock, log });
    expect(server.url).toBe(`http://127.0.0.1:${server.port}`);
    expect(await (await fetch(server.url)).text()).toBe("hello");
    await server.stop({ deadlineMs: 0 });
  });

  it("writes an IPv6 address with brackets", async (context) => {
    const server = await startServer({ app, host: "::1", port: 0, clock, log }).catch(
      () => undefined,
    );
    if (server === undefined) return context.skip("this machine has no IPv6 loopback");
    expect(server.url).toBe(`http://[::1]:${server.port}`);
    await server.stop({ deadlineMs: 0 });
  });

  it("says that a port is taken, and how to choose another", async () => {
    const other = createServer().listen(0, "127.0.0.1");
    await once(other, "listening");
    const { port } = other.address() as { port: number };
    await expect(startServer({ app, host: "127.0.0.1", port, clock, log })).rejects.toMatchObject({
      code: "E_PORT_IN_USE",
      exitCode: 2,
      message: expect.stringContaining(String(port)),
      hint: expect.stringContaining("--port"),
    });
    other.close();
  });

  it.each(["203.0.113.7", "no-such-host.invalid"])(
    "says why it cannot listen on %s",
    async (host) => {
      await expect(startServer({ app, host, port: 0, clock, log })).rejects.toMatchObject({
        code: "E_LISTEN_FAILED",
        exitCode: 2,
      });
    },
  );
});

describe("limits", () => {
  it("a client that sends its headers too slowly is cut off", async () => {
    await using server = await startTestServer({ limits: { headersTimeoutMs: 200 } });
    const text = await rawAnswer(server.port, (socket) => {
      socket.write("GET /alive HTTP/1.1\r\nHost: localhost\r\nX-Slow: ");
    });
    expect(text).toMatch(/^HTTP\/1.1 408/);
  });

  it("a client that sends its body too slowly is cut off", async () => {
    await using server = await startTestServer({
      limits: { headersTimeoutMs: 100, requestTimeoutMs: 300 },
    });
    const text = await rawAnswer(server.port, (socket) => {
      socket.write(
        "POST /things HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer admin\r\n" +
          "Content-Type: application/json\r\nContent-Length: 100\r\n\r\n{",
      );
    });
    expect(text).toMatch(/^HTTP\/1.1 408/);
  });

  it("connections beyond the limit are refused, and taken again later", async () => {
    await using server = await startTestServer({ limits: { connectionsMax: 2 } });
    const held = [connect(server.port, "127.0.0.1"), connect(server.port, "127.0.0.1")];
    await Promise.all(held.map((socket) => once(socket, "connect")));
    await vi.waitFor(() => expect(send(server, "GET", "/alive")).rejects.toThrow(), deadline);
    for (const socket of held) socket.destroy();
    await vi.waitFor(
      async () => expect((await send(server, "GET", "/alive")).status).toBe(200),
      deadline,
    );
  });

  it("a header that is too long, or no HTTP at all, is answered with 4xx", async () => {
    await using server = await startTestServer();
    const long = await rawAnswer(server.port, (socket) => {
      socket.write(
        `GET /alive HTTP/1.1\r\nHost: localhost\r\nX-Long: ${"x".repeat(20_000)}\r\n\r\n`,
      );
    });
    expect(long).toMatch(/^HTTP\/1.1 431/);
    expect(await rawAnswer(server.port, (socket) => socket.write("hello\r\n\r\n"))).toMatch(
      /^HTTP\/1.1 400/,
    );
    const noHost = await rawAnswer(server.port, (socket) => socket.write("GET / HTTP/1.0\r\n\r\n"));
    expect(noHost).toMatch(/^HTTP\/1.1 400/);
    expect(noHost).toContain("E_REQUEST_INVALID");
    expect((await send(server, "GET", "/alive")).status).toBe(200);
  });

  it("a client that goes away in the middle of its body does no harm", async () => {
    await using server = await startTestServer();
    const socket = connect(server.port, "127.0.0.1");
    await once(socket, "connect");
    socket.write(
      "POST /things HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer admin\r\n" +
        "Content-Type: application/json\r\nContent-Length: 100\r\n\r\n{",
    );
    socket.destroy();
    expect((await send(server, "GET", "/alive")).status).toBe(200);
  });
});

describe("stopping", () => {
  const slowRoute = (begun: () => void, wait: Promise<void>) =>
    defineRoute({
      method: "GET",
      path: "/slow",
      summary: "Takes its time.",
      access: "open",
      responses: { description: "Done.", schema: z.string() },
      handle: async () => {
        begun();
        await wait;
        return { json: "done" };
      },
    });

  it("lets a request in progress finish, and takes no new ones", async () => {
    let finish = () => {};
    let begin = () => {};
    const wait = new Promise<void>((resolve) => (finish = resolve));
    const begun = new Promise<void>((resolve) => (begin = resolve));
    await using server = await startTestServer({ routes: [slowRoute(() => begin(), wait)] });
    const answer = send(server, "GET", "/slow");
    await begun;
    const stopped = server.stop(20_000);
    await vi.waitFor(
      () => expect(send(server, "GET", "/slow")).rejects.toThrow(/ECONNREFUSED/),
      deadline,
    );
    finish();
    expect((await answer).text).toBe('"done"\n');
    expect(await stopped).toEqual({ broken: 0 });
  });

  it("does not wait for connections that become idle meanwhile", async () => {
    let finish = () => {};
    let begin = () => {};
    const wait = new Promise<void>((resolve) => (finish = resolve));
    const begun = new Promise<void>((resolve) => (begin = resolve));
    await using server = await startTestServer({
      routes: [slowRoute(() => begin(), wait)],
      limits: { keepAliveTimeoutMs: 600_000 },
    });
    // This client would like to keep its connection.
    const answer = fetch(`${server.url}/slow`);
    await begun;
    const stopped = server.stop(60_000);
    finish();
    await (await answer).text();
    expect(await stopped).toEqual({ broken: 0 });
  });

  it("breaks what is not over at the deadline", async () => {
    let begin = () => {};
    const begun = new Promise<void>((resolve) => (begin = resolve));
    await using server = await startTestServer({
      routes: [slowRoute(() => begin(), new Promise(() => {}))],
    });
    const answer = send(server, "GET", "/slow");
    const broken = expect(answer).rejects.toThrow();
    await begun;
    expect(await server.stop(100)).toEqual({ broken: 1 });
    await broken;
  });

  it("asks clients not to come back on the same connection", async () => {
    let stopping = false;
    await using server = await startTestServer({ app: { isStopping: () => stopping } });
    const headers = { connection: "keep-alive" };
    expect((await send(server, "GET", "/alive", { headers })).headers.connection).toBe(
      "keep-alive",
    );
    stopping = true;
    expect((await send(server, "GET", "/alive", { headers })).headers.connection).toBe("close");
  });

  it("does not wait for idle connections", async () => {
    await using server = await startTestServer({ limits: { keepAliveTimeoutMs: 600_000 } });
    const answer = await fetch(`${server.url}/alive`);
    await answer.text();
    expect(await server.stop(60_000)).toEqual({ broken: 0 });
  });
});
