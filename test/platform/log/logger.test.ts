import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { TesseraError } from "../../../src/platform/errors/index.ts";
import { createLogger, type LoggerOptions } from "../../../src/platform/log/index.ts";
import { VirtualClock } from "../../../src/platform/time/index.ts";

const clock = new VirtualClock({ epochMs: Date.UTC(2026, 0, 2, 3, 4, 5, 678) });

/** A logger, and a way to read what it wrote. */
function capture(options: Partial<LoggerOptions> = {}) {
  let text = "";
  const stream = { write: (chunk: string) => (text += chunk), isTTY: false };
  const log = createLogger({ level: "trace", format: "json", stream, clock, ...options });
  return {
    log,
    text: () => text,
    records: () =>
      text
        .trim()
        .split("\n")
        .map((line) => JSON.parse(line)),
  };
}

describe("createLogger", () => {
  it("writes one JSON object a line with the injected time and the level by name", () => {
    const { log, text, records } = capture();
    log.info({ node: "n1" }, "took %d s", 3);
    log.warn("second");
    expect(text().split("\n")).toHaveLength(3);
    expect(records()[0]).toEqual({
      level: "info",
      time: "2026-01-02T03:04:05.678Z",
      node: "n1",
      msg: "took 3 s",
    });
  });

  it("writes nothing below its level, and nothing at all when silent", () => {
    const { log, records } = capture({ level: "warn" });
    log.info("no");
    log.error("yes");
    expect(records()).toMatchObject([{ msg: "yes" }]);
    const silent = capture({ level: "silent" });
    silent.log.fatal("no");
    expect(silent.text()).toBe("");
  });

  it("adds the fields of child loggers to each record", () => {
    const { log, records } = capture();
    log.child({ run: 7 }).child({ token: "x" }, { msgPrefix: "[a] " }).info("hello");
    expect(records()).toMatchObject([{ run: 7, token: "***", msg: "[a] hello" }]);
  });

  it("writes errors with code and details, and their causes with them", () => {
    const { log, records } = capture();
    const cause = new Error("connect failed");
    const err = new TesseraError("E_TIMEOUT", { what: "W", timeout: "1 s", node: "n1" }, { cause });
    Object.defineProperty(err, "attempts", { value: 3 });
    log.error({ err }, "validation failed");
    log.error(err);
    expect(records()).toMatchObject([
      {
        msg: "validation failed",
        err: {
          code: "E_TIMEOUT",
          attempts: 3,
          details: { node: "n1" },
          cause: { message: "connect failed" },
        },
      },
      { msg: "W did not finish within 1 s.", err: { code: "E_TIMEOUT" } },
    ]);
    expect(records()[0].err).not.toHaveProperty("stack");
    expect(records()[0].err.cause).toHaveProperty("stack");
  });

  it("never lets a planted secret out, whatever way it takes", () => {
    const secret = "S3cr3tS3cr3t";
    const shapes: ((text: string) => unknown)[] = [
      (text) => `Authorization: Bearer ${text}`,
      (text) => `postgres://user:${text}@host/db`,
      (text) => `login with password=${text} failed`,
      (text) => ({ token: text }),
      (text) => ({ env: [{ name: "API_KEY", value: text }] }),
      (text) => new Map([["secret", text]]),
      (text) => new Error(`token: ${text}`),
      (text) => ({ kind: "Secret", stringData: { any: text } }),
      (text) => ["--password", text],
      (text) => JSON.stringify({ nested: JSON.stringify({ password: text }) }),
    ];
    const wraps: ((value: unknown) => unknown)[] = [
      (value) => ({ inner: value }),
      (value) => [value],
      (value) => new Error("outer", { cause: value }),
      (value) => Object.assign(new Error("outer"), { extra: value }),
      (value) => new Map<string, unknown>([["inner", value]]),
    ];
    const nesting = fc.array(fc.constantFrom(...wraps), { maxLength: 12 });
    fc.assert(
      fc.property(fc.constantFrom(...shapes), nesting, fc.boolean(), (shape, around, pretty) => {
        const { log, text } = capture({ format: pretty ? "pretty" : "json" });
        const planted = around.reduce((value, wrap) => wrap(value), shape(secret));
        log.info({ planted }, "as a field");
        log.child({ planted }).info("in a child");
        Reflect.apply(log.info, log, ["in the text: %j", planted]);
        if (typeof planted === "string") log.info(planted);
        if (planted instanceof Error) log.error(planted);
        expect(text()).not.toContain(secret);
        expect(text()).toContain("as a field");
      }),
    );
  });
});

describe("pretty lines", () => {
  const pretty = (options: Partial<LoggerOptions> = {}) =>
    capture({ format: "pretty", ...options });

  it("show time of day, level, message and fields", () => {
    const { log, text } = pretty();
    log.warn({ node: "n1", reason: "too slow", counts: { a: 1 } }, "node is suspect");
    expect(text()).toBe(
      '03:04:05.678Z WARN  node is suspect node=n1 reason="too slow" counts={"a":1}\n',
    );
  });

  it("show an error below, with its causes", () => {
    const { log, text } = pretty();
    const cause = new Error("connection refused");
    log.error(
      { err: new TesseraError("E_TIMEOUT", { what: "W", timeout: "1 s" }, { cause }) },
      "failed",
    );
    const lines = text().split("\n");
    expect(lines[0]).toBe("03:04:05.678Z ERROR failed");
    expect(lines[1]).toBe("  E_TIMEOUT: W did not finish within 1 s.");
    expect(lines).toContain("  Error: connection refused");
    expect(text()).toMatch(/^ {4}at .*logger\.test\.ts/m);
  });

  it("do not repeat the message of an error that was logged by itself", () => {
    const { log, text } = pretty();
    log.error(new Error("only once"));
    expect(text().match(/only once/g)).toHaveLength(1);
  });

  it("are chosen on a terminal when the format is auto, with colours; JSON without colours elsewhere", () => {
    let text = "";
    const terminal = { write: (chunk: string) => (text += chunk), isTTY: true };
    capture({ format: "auto", stream: terminal }).log.info("hello");
    expect(text).toContain("\u001B[32mINFO \u001B[39m hello");
    const { log, records } = capture({ format: "auto" });
    log.info("hello");
    expect(records()).toMatchObject([{ msg: "hello" }]);
  });

  it("have no colour when told so, even on a terminal", () => {
    let text = "";
    const terminal = { write: (chunk: string) => (text += chunk), isTTY: true };
    capture({ format: "pretty", stream: terminal, color: false }).log.info("hello");
    expect(text).not.toContain("\u001B");
  });

  it("cannot be forged by what is logged", () => {
    const { log, text } = pretty();
    log.info({ "a\nb": "c\u009Bd" }, "one\n03:04:05 ERROR forged\u001B[31m");
    expect(text().split("\n")).toHaveLength(2);
    expect(text()).not.toMatch(/[\u001B\u009B]/);
    expect(text()).toContain("\\u000a03:04:05 ERROR forged\\u001b[31m");
  });
});
