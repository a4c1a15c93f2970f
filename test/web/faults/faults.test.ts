import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { faultBody } from "../../../src/control/api/faults.ts";
import { emptyFields, readFields } from "../../../web/src/pages/faults/fault-form.ts";
import {
  agreement,
  agreementSummary,
  brokenNow,
  isLeft,
} from "../../../web/src/pages/faults/fault-words.ts";
import { searchXids, usedXids } from "../../../web/src/pages/faults/xid-search.ts";

const predicted = { detector: "gpud", what: "detects", expected: "yes", observed: null };

describe("predicted against observed", () => {
  it("tells agreement, disagreement and what is open apart by more than colour", () => {
    const signs = ([true, false, null] as const).map(
      (agrees) => agreement({ ...predicted, agrees }).sign,
    );
    expect(new Set(signs).size).toBe(3);
  });

  it("never counts what is open as agreement", () => {
    const rows = ([true, false, null] as const).map((agrees) => ({ ...predicted, agrees }));
    expect(agreementSummary(rows)).toBe("1 of 3 as predicted, 1 otherwise, 1 open");
    expect(agreement({ ...predicted, agrees: null }).tone).toBe("unknown");
    expect(agreementSummary([])).toBe("nothing was predicted");
  });
});

describe("what is broken by us", () => {
  const ended = { isLive: false, state: "reverted", left: [] };

  it("counts faults that ended and left something, or could not be undone", () => {
    expect(isLeft({ ...ended, state: "failed", left: ["a file"] })).toBe(true);
    // It may still be in force, and says so.
    expect(isLeft({ ...ended, isLive: true, state: "revert-failed" })).toBe(true);
    expect(brokenNow(0, 1)).toBe("● 1 fault not wholly undone");
    expect(brokenNow(2, 1)).toBe("● 2 faults in force, 1 fault not wholly undone");
  });

  it("is nothing only when nothing is in force and nothing was left", () => {
    expect(isLeft(ended)).toBe(false);
    expect(isLeft({ isLive: true, state: "injected", left: ["a file"] })).toBe(false);
    expect(brokenNow(0, 0)).toBe("Nothing is broken by us");
  });

  it("is not known where nobody can tell how many there are", () => {
    expect(brokenNow(null, null)).toBe("? What is broken by us is not known");
    expect(brokenNow(null, 0)).not.toContain("Nothing");
  });
});

describe("the form of a fault", () => {
  const filled = { ...emptyFields, namespace: "shop", node: "gpu-17" };

  it("makes a request that the server's schema takes, or says which field is wrong", () => {
    const text = fc.oneof(fc.string({ maxLength: 8 }), fc.constantFrom("0", "5", "79", "a.b-c"));
    const fields = fc.record({
      namespace: text,
      node: text,
      gpu: text,
      xid: text,
      minutes: text,
      allowRealReboot: fc.boolean(),
    });
    fc.assert(
      fc.property(fields, (given) => {
        const read = readFields(given);
        if ("request" in read) expect(faultBody.safeParse(read.request).success).toBe(true);
        else expect(Object.keys(read.errors).length).toBeGreaterThan(0);
      }),
    );
  });

  it("takes what people usually type", () => {
    expect(readFields(filled)).toEqual({
      request: {
        namespace: "shop",
        node: "gpu-17",
        gpu: 0,
        xid: 79,
        durationSeconds: 300,
        allowRealReboot: false,
      },
    });
  });

  it("asks for what is missing and says what cannot be", () => {
    expect(readFields({ ...filled, node: "" })).toEqual({ errors: { node: "Which node?" } });
    expect(readFields({ ...filled, minutes: "0" })).toHaveProperty("errors.minutes");
    expect(readFields({ ...filled, xid: "7.5" })).toHaveProperty("errors.xid");
  });
});

describe("the search for an XID", () => {
  const rows = [
    { code: 7, name: "Timeout", severity: "warning", description: "Something waited." },
    {
      code: 79,
      name: "GPU has fallen off the bus",
      severity: "critical",
      description: "It is gone.",
    },
    {
      code: 48,
      name: "Double bit ECC error",
      severity: "critical",
      description: "Memory, 79 pins.",
    },
  ];

  it("puts the number that was typed first", () => {
    expect(searchXids(rows, "7").map(({ code }) => code)).toEqual([7, 79, 48]);
  });

  it("leaves out numbers that nobody gave a meaning, and no other", () => {
    const unused = { code: 1, name: "Not used", severity: "warning", description: "" };
    expect(usedXids([unused, ...rows])).toEqual(rows);
  });

  it("finds words anywhere, all of them", () => {
    expect(searchXids(rows, "critical bus").map(({ code }) => code)).toEqual([79]);
  });

  it("gives all for nothing and none for what is not there", () => {
    expect(searchXids(rows, " ")).toEqual(rows);
    expect(searchXids(rows, "nvlink")).toEqual([]);
  });
});
