import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { hidePassword, parseStoreUrl } from "../../../src/platform/store/url.ts";

describe("a store URL", () => {
  test.each([
    ["sqlite:/var/lib/t.db", "/var/lib/t.db"],
    ["sqlite:///var/lib/t.db", "/var/lib/t.db"],
    ["sqlite:t.db", `${process.cwd()}/t.db`],
    ["sqlite:./a b/t#1?.db", `${process.cwd()}/a b/t#1?.db`],
  ])("%s names a file", (url, path) => {
    expect(parseStoreUrl(url)).toEqual({ dialect: "sqlite", path, shown: `sqlite:${path}` });
  });

  test.each([
    "postgres://db.internal/tessera",
    "postgresql://ann@db.internal:5433/tessera?sslmode=verify-full",
    "postgres://ann@/tessera?host=/run/postgresql",
    "postgres://%2Frun%2Fpostgresql/tessera",
  ])("%s names a PostgreSQL database", (url) => {
    expect(parseStoreUrl(url)).toEqual({ dialect: "postgres", url, shown: url });
  });

  test.each([
    ["", "no engine"],
    ["tessera.db", "no engine"],
    ["mysql://db/tessera", "no engine"],
    ["sqlite:", "no file"],
    ["sqlite::memory:", "in memory"],
    ["sqlite://host/t.db", "not on a host"],
    ["sqlite:~/t.db", "in full"],
    ["sqlite:/var/lib/", "a folder"],
    ["sqlite:a\0b", "NUL"],
    ["postgres://db:port/tessera", "not a valid URL"],
  ])("%j is refused because of: %s", (url, words) => {
    expect(() => parseStoreUrl(url)).toThrow(
      expect.objectContaining({
        code: "E_STORE_URL",
        message: expect.stringContaining(words) as string,
        hint: expect.stringContaining("sqlite:PATH") as string,
      }) as Error,
    );
  });

  test("is shown without its password, wherever that stands", () => {
    const shown = hidePassword("postgres://ann:s3cret@db/t?password=s3cret&sslpassword=s3cret#x");
    expect(shown).toBe("postgres://ann:***@db/t?password=***&sslpassword=***#x");
  });

  test("never shows its password, however strange that is", () => {
    const part = fc.stringMatching(/^[a-z]{1,8}$/);
    fc.assert(
      fc.property(part, fc.string({ minLength: 1 }), part, (user, noise, host) => {
        const secret = `<${noise}>`;
        const url = `postgres://${user}:${secret}@${host}/db`;
        expect(hidePassword(url)).not.toContain(secret);
        try {
          expect(parseStoreUrl(url).shown).not.toContain(secret);
        } catch (error) {
          expect(String(error)).not.toContain(secret);
        }
      }),
    );
  });
});
