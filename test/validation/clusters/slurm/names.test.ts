import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  drainReason,
  isOurComment,
  isOurReason,
  jobComment,
  nodeComment,
  plainText,
  readJobComment,
  storeId,
} from "../../../../src/validation/clusters/slurm/names.ts";

const word = fc.stringMatching(/^[A-Za-z0-9][A-Za-z0-9._-]{0,20}$/);

describe("a job's comment", () => {
  it("is read as it was written, with any reason, and has no spaces in its values", () => {
    fc.assert(
      fc.property(
        word,
        word,
        word,
        fc.option(fc.string({ unit: "grapheme" }), { nil: undefined }),
        (cluster, runId, store, closed) => {
          const text = jobComment({ cluster, runId, store, closed });
          expect(text).toMatch(/^tessera( \S+=\S*){3,4}$/);
          expect(readJobComment(text)).toEqual({ cluster, runId, store, closed });
        },
      ),
    );
  });

  it("is not made from words that could be read as more, nor read from other comments", () => {
    const mark = { cluster: "a b", runId: "r", store: "s", closed: undefined };
    expect(() => jobComment(mark)).toThrow(RangeError);
    expect(readJobComment("mine")).toBeUndefined();
    expect(readJobComment("tessera cluster=prod")).toBeUndefined();
    expect(readJobComment("tessera cluster=a run=b")).toBeUndefined();
    expect(readJobComment("tessera cluster=a run=b store=s closed=%E0")?.closed).toBe("");
  });
});

describe("the short name of a store", () => {
  it("is the same for one secret, another for another, and does not hold it", () => {
    expect(storeId("a secret")).toMatch(/^[0-9a-f]{8}$/);
    expect(storeId("a secret")).toBe(storeId("a secret"));
    expect(storeId("a secret")).not.toBe(storeId("another"));
  });
});

describe("a drain's reason", () => {
  it("is one short line of plain characters that says whose it is", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (text) => {
        const reason = drainReason("prod", text);
        expect(reason).toMatch(/^tessera\/prod:[ -~]*$/);
        expect(reason).not.toMatch(/['"`\\|]/);
        expect(reason.length).toBeLessThanOrEqual(200);
        expect(isOurReason("prod", reason)).toBe(true);
      }),
    );
  });

  it("is ours when it names this cluster or asks for acceptance, and nobody else's is", () => {
    expect(isOurReason("prod", "tessera:accept new node")).toBe(true);
    for (const other of ["", "bad DIMM", "tessera/other: x", "see tessera/prod: x"]) {
      expect(isOurReason("prod", other)).toBe(false);
    }
  });
});

describe("a node's comment", () => {
  it("is replaced when it is empty or ours, never another's", () => {
    expect(isOurComment("")).toBe(true);
    expect(isOurComment(nodeComment("pass"))).toBe(true);
    expect(isOurComment("owned by lab 3")).toBe(false);
    expect(plainText("a\n\tb  c 'd'")).toBe("a b c d");
  });
});
