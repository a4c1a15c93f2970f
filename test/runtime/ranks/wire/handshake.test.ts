import { describe, expect, test } from "vitest";
import { formatAddress, parseAddress } from "../../../../src/runtime/ranks/wire/address.ts";
import { encodeFrame } from "../../../../src/runtime/ranks/wire/frames.ts";
import {
  ClientHandshake,
  RefusedError,
  ServerHandshake,
} from "../../../../src/runtime/ranks/wire/handshake.ts";

function shake(secrets: { client: string; server: string }, admit = () => ({ words: "hello" })) {
  const client = new ClientHandshake({ secret: secrets.client, words: { rank: 1 } });
  const server = new ServerHandshake(secrets.server);
  const answer = client.push(server.greeting).send ?? Buffer.alloc(0);
  const welcome = server.push(answer, admit);
  return { client, server, answer, welcome };
}

describe("the handshake", () => {
  test("two that know the secret hear each other's words", () => {
    const { client, welcome } = shake({ client: "s", server: "s" });
    expect(welcome.done?.words).toEqual({ rank: 1 });
    expect(client.push(welcome.send ?? Buffer.alloc(0)).done?.words).toBe("hello");
  });

  test("another secret is refused, and the client is told why", () => {
    const { client, welcome } = shake({ client: "wrong", server: "s" });
    expect(welcome.done).toBeUndefined();
    expect(() => client.push(welcome.send ?? Buffer.alloc(0))).toThrow(RefusedError);
  });

  test("a listener that does not know the secret is not believed", () => {
    const client = new ClientHandshake({ secret: "s", words: {} });
    client.push(new ServerHandshake("s").greeting);
    const forged = encodeFrame({ words: "{}", proof: "0".repeat(64) });
    expect(() => client.push(forged)).toThrow("does not know the secret");
  });

  test("an answer that was overheard does not open another connection", () => {
    const { answer } = shake({ client: "s", server: "s" });
    const again = new ServerHandshake("s").push(answer, () => ({ words: {} }));
    expect(again.refused).toContain("secret");
  });

  test("whoever does not speak the protocol is turned away", () => {
    const http = Buffer.from("GET / HTTP/1.1\r\n\r\n");
    expect(() => new ServerHandshake("s").push(http, () => ({ words: {} }))).toThrow("bytes");
    expect(() => new ClientHandshake({ secret: "s", words: {} }).push(http)).toThrow("bytes");
    const stranger = encodeFrame({ hello: "there" });
    expect(() => new ServerHandshake("s").push(stranger, () => ({ words: {} }))).toThrow("peer");
    const newer = encodeFrame({ tesseraRanks: 99, nonce: "0".repeat(32) });
    const client = new ClientHandshake({ secret: "s", words: {} });
    expect(() => client.push(newer)).toThrow("protocol 99");
  });
});

describe("addresses", () => {
  test.each(["127.0.0.1:80", "a-0.b:29500", "[::1]:9"])("%s is one", (text) => {
    const address = parseAddress(text);
    expect(address === undefined ? "" : formatAddress(address)).toBe(text);
  });

  test.each(["", "host", "host:", "host:0", "host:70000", "a b:1", "::1:9", "http://x:1"])(
    "%s is none",
    (text) => expect(parseAddress(text)).toBeUndefined(),
  );
});
