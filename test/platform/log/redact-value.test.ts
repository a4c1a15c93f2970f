import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { TesseraError } from "../../../src/platform/errors/index.ts";
import { redactValue } from "../../../src/platform/log/index.ts";

describe("redactValue", () => {
  it("masks what stands under a telling name, whatever it is", () => {
    const value = {
      password: "x",
      accessToken: 1234,
      DB_PASSWORD: ["x"],
      "client-key-data": { deep: "x" },
      authorization: "Basic x",
    };
    expect(Object.values(redactValue(value) as object)).toEqual([
      "***",
      "***",
      "***",
      "***",
      "***",
    ]);
  });

  it("leaves names that only speak about a secret, and values that are none", () => {
    const value = {
      tokenFile: "/t",
      secretName: "s",
      token: null,
      password: "",
      maxTokens: 5,
      hasSecret: true,
    };
    expect(redactValue(value)).toEqual(value);
  });

  it("takes the data out of a Kubernetes Secret, and leaves that of other objects", () => {
    const secret = { kind: "Secret", metadata: { name: "s" }, data: { a: "eA==" } };
    expect(redactValue({ items: [secret] })).toEqual({
      items: [{ kind: "Secret", metadata: { name: "s" }, data: "***" }],
    });
    const map = { kind: "ConfigMap", data: { a: "b" } };
    expect(redactValue(map)).toEqual(map);
  });

  it("masks variables and headers given as name and value", () => {
    const variables = [
      { name: "API_TOKEN", value: "x" },
      { name: "LEVEL", value: "debug" },
    ];
    expect(redactValue(variables)).toEqual([
      { name: "API_TOKEN", value: "***" },
      { name: "LEVEL", value: "debug" },
    ]);
  });

  it("masks the argument that follows a telling flag", () => {
    expect(redactValue(["--token", "x", "--port", "1", "--token=y"])).toEqual([
      "--token",
      "***",
      "--port",
      "1",
      "--token=***",
    ]);
  });

  it("turns errors with their causes into plain values", () => {
    const cause = Object.assign(new Error("password=x"), { code: "ECONNREFUSED", token: "x" });
    const details = { what: "W", timeout: "1 s", url: "postgres://u:x1@h/d" };
    const error = new TesseraError("E_TIMEOUT", details, { cause });
    expect(redactValue({ err: error })).toEqual({
      err: {
        type: "TesseraError",
        code: "E_TIMEOUT",
        message: "W did not finish within 1 s.",
        hint: error.hint,
        details: { what: "W", timeout: "1 s", url: "postgres://u:***@h/d" },
        cause: {
          type: "Error",
          code: "ECONNREFUSED",
          token: "***",
          message: "password=***",
          stack: expect.stringContaining("password=***"),
        },
      },
    });
  });

  it("shows all errors of an AggregateError", () => {
    const value = redactValue(new AggregateError([new Error("one")], "several"));
    expect(value).toMatchObject({ message: "several", errors: [{ message: "one" }] });
  });

  it("makes everything fit for JSON", () => {
    const value = {
      big: 2n ** 64n,
      nan: Number.NaN,
      date: new Date(0),
      bytes: Buffer.from("secret"),
      map: new Map([["password", "x"]]),
      set: new Set([1]),
      url: new URL("https://u:x1@h/"),
      call: () => {},
      symbol: Symbol("s"),
      nothing: undefined,
    };
    expect(redactValue(value)).toEqual({
      big: "18446744073709551616",
      nan: "NaN",
      date: "1970-01-01T00:00:00.000Z",
      bytes: "[6 bytes]",
      map: { password: "***" },
      set: [1],
      url: "https://u:***@h/",
      call: "[function]",
      symbol: "[symbol]",
      nothing: undefined,
    });
  });

  it("cuts circles, depth and width", () => {
    const circle: Record<string, unknown> = { name: "a" };
    circle["self"] = circle;
    expect(redactValue(circle)).toEqual({ name: "a", self: "[circular]" });

    let deep: unknown = "bottom";
    for (let level = 0; level < 100; level++) deep = { deep };
    expect(JSON.stringify(redactValue(deep))).toContain("[deeper levels left out]");

    const wide = redactValue(Array.from({ length: 1_000_000 }, (_, at) => at));
    expect((wide as unknown[]).length).toBeLessThanOrEqual(5001);
    expect(JSON.stringify(wide)).toContain("more left out");
  });

  it("shows the same object in two places twice: that is no circle", () => {
    const shared = { a: 1 };
    expect(redactValue([shared, shared])).toEqual([{ a: 1 }, { a: 1 }]);
  });

  it("survives getters that throw", () => {
    const value = {
      get bad(): string {
        throw new Error("no");
      },
    };
    expect(redactValue({ value, good: 1 })).toEqual({ value: "[unreadable]", good: 1 });
  });

  it("does not change what it was given", () => {
    const value = { password: "x", list: [{ token: "y" }] };
    redactValue(value);
    expect(value).toEqual({ password: "x", list: [{ token: "y" }] });
  });

  it("gives JSON back as it was when nothing in it is secret", () => {
    const word = fc.stringMatching(/^[a-f]{0,8}$/);
    const { tree } = fc.letrec((tie) => ({
      tree: fc.oneof(
        { maxDepth: 4 },
        fc.integer(),
        fc.boolean(),
        fc.constant(null),
        word,
        fc.array(tie("tree"), { maxLength: 4 }),
        fc.dictionary(word, tie("tree"), { maxKeys: 4 }),
      ),
    }));
    fc.assert(
      fc.property(tree, (value) => {
        expect(redactValue(value)).toEqual(JSON.parse(JSON.stringify(value)));
      }),
    );
  });
});
