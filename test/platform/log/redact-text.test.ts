import { describe, expect, it } from "vitest";
import { redact } from "../../../src/platform/log/index.ts";
import { createRng } from "../../../src/platform/rng/index.ts";

const jwt = "eyJhbGciOiJSUzI1NiJ9.eyJpc3MiOiJrdWJlcm5ldGVzIn0.c2lnbmF0dXJl-_x";

describe("redact", () => {
  it.each([
    ["Authorization: Bearer abc123.def", "Authorization: ***"],
    ["curl -H 'Bearer abcdef123456'", "curl -H 'Bearer ***'"],
    ["basic dXNlcjpwYXNz in a header", "basic *** in a header"],
    ["Basic ABCDEFGHIJKL== x", "Basic *** x"],
    ["password=hunter2 host=db", "password=*** host=db"],
    ["password = 'two words' host=db", "password = '***' host=db"],
    ['{"token":"abc","user":"me"}', '{"token":"***","user":"me"}'],
    ['{"clientSecret": "a\\"b", "x": 1}', '{"clientSecret": "***", "x": 1}'],
    ["Error: password=foo", "Error: password=***"],
    ["client-key-data: LS0tLS1C", "client-key-data: ***"],
    ["AWS_SECRET_ACCESS_KEY=abc", "AWS_SECRET_ACCESS_KEY=***"],
    ["api key: abc", "api key: ***"],
    ["tessera up --token abc --port 1", "tessera up --token *** --port 1"],
    ["tessera up --token=abc --port 1", "tessera up --token=*** --port 1"],
    ["https://host/path?token=abc&x=1", "https://host/path?token=***&x=1"],
    ["Set-Cookie: session=abc; Path=/", "Set-Cookie: ***; Path=/"],
    [`token is ${jwt}.`, "token is ***."],
    ["using ghp_abcdefghijklmnopqrst", "using ***"],
    ["using nvapi-abcdefghijkl_mnop", "using ***"],
    [`using tessera_${"a".repeat(43)}`, "using ***"],
    [
      "-----BEGIN RSA PRIVATE KEY-----\nMIIE\n-----END RSA PRIVATE KEY-----\nafter",
      "[private key ***]\nafter",
    ],
  ])("takes the secret out of %j, once and for all", (text, expected) => {
    expect(redact(text)).toBe(expected);
    expect(redact(expected)).toBe(expected);
  });

  it.each([
    ["postgres://user:secret@host:5432/db", "postgres://user:***@host:5432/db"],
    ["postgres://user:p@ss/w@host/db", "postgres://user:***@host/db"],
    ["postgres://:secret@host/db", "postgres://:***@host/db"],
    ["connect to postgres://u:p@h/db failed", "connect to postgres://u:***@h/db failed"],
    ["https://0123456789abcdefghijklmn@github.com/x", "https://***@github.com/x"],
  ])("takes the password out of the address %j, once and for all", (text, expected) => {
    expect(redact(text)).toBe(expected);
    expect(redact(expected)).toBe(expected);
  });

  it.each([
    "",
    "node gpu-17 took 1.5 s, 3 tokens a second",
    "basic information about tokens: 512 read, tokens=17 written",
    "tokenFile: /etc/tessera/token",
    "secretName=registry",
    "http://127.0.0.1:7070/path/@scope/package",
    "ssh://git@host/repository",
    "image sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
    "commit f29d4d8a0c1b2e3d4f5061728394a5b6c7d8e9f0",
    "/usr/lib/x86_64-linux-gnu/libnvidia-Container1/very/long/Path/to/some/File42.so",
    "pod 3f2a1b4c-5d6e-7f80-91a2-b3c4d5e6f708 is Running",
    "validation-worker-with-a-rather-long-name-7d9f8b6c5-x2x4z",
    "tessera_http_event_streams_dropped_total",
  ])("leaves %j as it is", (text) => {
    expect(redact(text)).toBe(text);
  });

  it("leaves out a whole kubeconfig, in YAML and in JSON", () => {
    const yaml = "apiVersion: v1\nkind: Config\nusers:\n- name: me\n  user:\n    something: x\n";
    expect(redact(yaml)).toBe("[kubeconfig left out]");
    expect(redact('{"kind":"Config","users":[{"name":"me"}]}')).toBe("[kubeconfig left out]");
  });

  it("leaves out a whole Kubernetes Secret, in YAML and in JSON", () => {
    const yaml = "apiVersion: v1\nkind: Secret\ndata:\n  any: eA==\n";
    expect(redact(yaml)).toBe("[Kubernetes Secret left out]");
    expect(redact('{"kind":"Secret","stringData":{"any":"x"}}')).toBe(
      "[Kubernetes Secret left out]",
    );
    expect(redact("kind: ConfigMap\ndata:\n  any: eA==\n")).toContain("eA==");
  });

  it("takes out long strings that look random, in every alphabet of base64", () => {
    for (let at = 0; at < 200; at++) {
      const bytes = Buffer.from(createRng(at).stream("secret").bytes(48));
      for (const encoding of ["base64", "base64url"] as const) {
        const secret = bytes.toString(encoding);
        expect(redact(`certificate ${secret} of node`)).toBe("certificate *** of node");
        expect(redact(`/var/run/secrets/${secret}`)).not.toContain(secret.slice(8, 40));
      }
    }
  });

  it("cuts a text that is very long, and not in the middle of a secret", () => {
    const text = `${"word ".repeat(13_105)}token=${"s".repeat(100_000)}`;
    const redacted = redact(text);
    expect(redacted).toMatch(/word \[\d+ characters left out\]$/);
    expect(redacted).not.toContain("sss");
  });

  it.each([
    "a://b:".repeat(20_000),
    "-eyJaaaaaaaaa".repeat(10_000),
    `token="${"\\".repeat(60_000)}`,
    "-----BEGIN PRIVATE KEY-----".repeat(4000),
    "a".repeat(65_000),
    "a".repeat(1_000_000),
    "Bearer ".repeat(9000),
    "--token ".repeat(8000),
    "kind: Config ".repeat(5000),
  ])(
    "stays fast on odd texts (%#)",
    (text) => {
      // Searching that grows with the square of the length would run into the test's time limit.
      expect(redact(text).length).toBeLessThanOrEqual(text.length + 100);
    },
    30_000,
  );
});
