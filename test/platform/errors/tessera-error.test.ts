import { describe, expect, it } from "vitest";
import {
  errorTable,
  isTesseraError,
  messageOf,
  TesseraError,
  toTesseraError,
} from "../../../src/platform/errors/index.ts";

const timeout = { what: "The list of nodes", timeout: "5 s" };

describe("TesseraError", () => {
  it("fills the names between braces in its message from its details", () => {
    expect(new TesseraError("E_TIMEOUT", timeout).message).toBe(
      "The list of nodes did not finish within 5 s.",
    );
  });

  it("fills the names between braces in its hint as well", () => {
    const error = new TesseraError("E_USAGE", { problem: "No such flag.", command: "doctor" });
    expect(error.hint).toContain("`tessera doctor --help`");
  });

  it("does not fill braces that come in with a detail", () => {
    const error = new TesseraError("E_INTERNAL", { problem: "{problem} {signal} $& $1" });
    expect(error.message).toContain("{problem} {signal} $& $1");
  });

  it("takes exit code and HTTP status from the table and keeps every detail as a field", () => {
    const error = new TesseraError("E_TIMEOUT", { ...timeout, node: "n1" });
    expect(error).toMatchObject({
      name: "TesseraError",
      code: "E_TIMEOUT",
      exitCode: errorTable.E_TIMEOUT.exitCode,
      httpStatus: errorTable.E_TIMEOUT.httpStatus,
      details: { node: "n1" },
    });
    expect(error).toBeInstanceOf(Error);
  });

  it("prefers a hint that fits the situation better", () => {
    const error = new TesseraError("E_TIMEOUT", timeout, { hint: "Restart the API server." });
    expect(error.hint).toBe("Restart the API server.");
  });

  it("has a cause only when one was given", () => {
    const cause = new Error("below");
    expect(new TesseraError("E_TIMEOUT", timeout, { cause }).cause).toBe(cause);
    expect("cause" in new TesseraError("E_TIMEOUT", timeout)).toBe(false);
  });
});

describe("isTesseraError", () => {
  it("recognises an error of another copy of the package", () => {
    const foreign = Object.assign(new Error("x"), { [Symbol.for("tessera.error")]: true });
    expect(isTesseraError(foreign)).toBe(true);
    expect(toTesseraError(foreign)).toBe(foreign);
  });

  it.each([new Error("x"), { code: "E_TIMEOUT" }, "E_TIMEOUT", null, undefined])(
    "does not take %o for one",
    (value) => {
      expect(isTesseraError(value)).toBe(false);
    },
  );
});

describe("toTesseraError", () => {
  it("leaves our own errors as they are", () => {
    const error = new TesseraError("E_TIMEOUT", timeout);
    expect(toTesseraError(error)).toBe(error);
  });

  it("makes anything unforeseen an E_INTERNAL with its cause", () => {
    const thrown = new RangeError("out of range");
    const error = toTesseraError(thrown);
    expect(error.code).toBe("E_INTERNAL");
    expect(error.message).toContain("out of range");
    expect(error.cause).toBe(thrown);
  });

  it("copes with thrown values that are no errors", () => {
    expect(toTesseraError("just text").message).toContain("just text");
    expect(messageOf(undefined)).toBe("undefined");
  });
});
