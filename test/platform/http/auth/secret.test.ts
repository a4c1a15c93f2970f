import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseBearer } from "../../../../src/platform/http/auth/credential.ts";
import { roleAllows, roles } from "../../../../src/platform/http/auth/roles.ts";
import { createSecret, hashSecret, sameHash } from "../../../../src/platform/http/auth/secret.ts";
import { redact } from "../../../../src/platform/log/index.ts";

describe("secrets", () => {
  it("are long, all different, and fit into a header", () => {
    const secrets = new Set(Array.from({ length: 100 }, createSecret));
    expect(secrets.size).toBe(100);
    for (const secret of secrets) {
      expect(secret).toMatch(/^tessera_[\w-]{43}$/);
      expect(parseBearer(`Bearer ${secret}`)).toBe(secret);
    }
  });

  it("do not survive in a log line that names them", () => {
    const secret = createSecret();
    expect(redact(`authorization: Bearer ${secret}`)).not.toContain(secret);
  });

  it("are stored as SHA-256", () => {
    expect(hashSecret("abc")).toBe(
      "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad",
    );
  });

  it("are the same when their hashes are", () => {
    const hash = hashSecret("a");
    expect(sameHash(hash, hash)).toBe(true);
    expect(sameHash(hash, hashSecret("b"))).toBe(false);
    expect(sameHash(hash, hash.slice(2))).toBe(false);
    expect(sameHash("", "")).toBe(false);
  });
});

describe("an Authorization header", () => {
  it("of any text never makes the reader fail", () => {
    fc.assert(
      fc.property(fc.string(), (header) => {
        expect(parseBearer(header)).not.toBe("");
      }),
    );
  });

  it("of the Basic kind is no token: browsers send passwords without being asked", () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[\w:-]{1,40}$/), (password) => {
        const header = `basic ${Buffer.from(`me:${password}`).toString("base64")}`;
        expect(parseBearer(header)).toBeUndefined();
      }),
    );
  });
});

describe("roles", () => {
  it("include those before them, and none after", () => {
    for (const [heldAt, held] of roles.entries()) {
      for (const [neededAt, needed] of roles.entries()) {
        expect(roleAllows(held, needed)).toBe(heldAt >= neededAt);
      }
    }
  });
});
