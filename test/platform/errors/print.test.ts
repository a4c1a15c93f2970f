import { describe, expect, it } from "vitest";
import { formatError, formatStack, TesseraError } from "../../../src/platform/errors/index.ts";

function timeout(cause?: unknown): TesseraError {
  const details = { what: "The list of nodes", timeout: "5 s" };
  return new TesseraError("E_TIMEOUT", details, { cause, hint: "Try again" });
}

describe("formatError", () => {
  it("gives one paragraph: code, message, hint, as sentences", () => {
    expect(formatError(timeout())).toBe(
      "E_TIMEOUT: The list of nodes did not finish within 5 s. Try again.",
    );
  });

  it("names the chain of causes between message and hint, outermost first", () => {
    const inner = new Error("connect ECONNREFUSED 127.0.0.1:6443.");
    const outer = new Error("fetch failed", { cause: inner });
    expect(formatError(timeout(outer))).toContain(
      "within 5 s. Cause: fetch failed: connect ECONNREFUSED 127.0.0.1:6443. Try again.",
    );
  });

  it("says nothing twice", () => {
    const cause = new Error("The list of nodes did not finish within 5 s");
    expect(formatError(timeout(cause))).not.toContain("Cause");
  });

  it("takes only the first line of a cause, so that the paragraph stays one", () => {
    const text = formatError(timeout(new Error("first line\n    at somewhere (file.ts:1:1)")));
    expect(text).toContain("first line.");
    expect(text).not.toContain("\n");
  });

  it("shows the code of a cause that is one of ours", () => {
    const cause = new TesseraError("E_FILE_READ", { path: "/a", problem: "it is a folder" });
    expect(formatError(timeout(cause))).toContain("Cause: E_FILE_READ Cannot read /a");
  });

  it("stops at the fifth cause, also when causes lead in a circle", () => {
    const first = new Error("cause 0");
    let current = first;
    for (let depth = 1; depth < 10; depth++) {
      const next = new Error(`cause ${depth}`);
      current.cause = next;
      current = next;
    }
    current.cause = first;
    const text = formatError(timeout(first));
    expect(text).toContain("cause 4");
    expect(text).not.toContain("cause 5");
  });
});

describe("formatStack", () => {
  it("shows the stack of the error and of every cause", () => {
    const text = formatStack(timeout(new Error("below")));
    expect(text).toMatch(/did not finish[\s\S]*print\.test\.ts[\s\S]*caused by: Error: below/);
  });

  it("ends, also when causes lead in a circle", () => {
    const error = new Error("round");
    error.cause = error;
    expect(formatStack(error).match(/Error: round/g)).toHaveLength(5);
  });

  it("has nothing to show for values without a stack", () => {
    expect(formatStack("just text")).toBe("");
  });
});
