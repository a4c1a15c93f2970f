import { describe, expect, it } from "vitest";
import { matchesSelector } from "../../../src/hardware/guard/label-selector.ts";

describe("matchesSelector", () => {
  const labels = { app: "web", tier: "gpu" };
  const one = (operator: string, values?: readonly string[], key = "app") => ({
    matchExpressions: [{ key, operator, ...(values === undefined ? {} : { values }) }],
  });

  it("knows every operator", () => {
    expect(matchesSelector(one("In", ["web", "db"]), labels)).toBe(true);
    expect(matchesSelector(one("In", ["db"]), labels)).toBe(false);
    expect(matchesSelector(one("NotIn", ["db"]), labels)).toBe(true);
    expect(matchesSelector(one("NotIn", ["web"]), labels)).toBe(false);
    expect(matchesSelector(one("Exists"), labels)).toBe(true);
    expect(matchesSelector(one("Exists", [], "none"), labels)).toBe(false);
    expect(matchesSelector(one("DoesNotExist", [], "none"), labels)).toBe(true);
    expect(matchesSelector(one("DoesNotExist"), labels)).toBe(false);
  });

  it("selects everything with an empty one, nothing with none", () => {
    expect(matchesSelector({}, labels)).toBe(true);
    expect(matchesSelector(undefined, labels)).toBe(false);
  });

  it("needs labels and expressions both", () => {
    const both = { matchLabels: { tier: "gpu" }, ...one("In", ["web"]) };
    expect(matchesSelector(both, labels)).toBe(true);
    expect(matchesSelector(both, { app: "web" })).toBe(false);
  });
});
