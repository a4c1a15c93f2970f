import { createHmac } from "node:crypto";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { canonicalJson } from "../../../src/validation/collect/canonical-json.ts";
import {
  decodeResult,
  encodeResult,
  mismatch,
  resultLimits,
  resultOf,
  runToken,
} from "../../../src/validation/collect/index.ts";
import type { RunResult } from "../../../src/validation/run.ts";
import { intentOf, plannedAtMs, resultFor } from "./support.ts";

const intent = intentOf();
const token = runToken("a secret", intent.id);
const bytesOf = (text: string) => new TextEncoder().encode(text);
const encode = (change: Partial<RunResult> = {}) =>
  encodeResult(resultFor(intent, change), { subject: intent, token });
const decode = (text: string, withToken = token) => decodeResult(bytesOf(text), withToken);
const receipt = { plannedAtMs, receivedAtMs: plannedAtMs + 60_000 };

/** A document that its own job could have made, changed before it was proved. */
function proved(change: (document: Record<string, unknown>) => Record<string, unknown>): string {
  const { proof: _, ...document } = JSON.parse(encode()) as Record<string, unknown>;
  const changed = change(document);
  const proof = createHmac("sha256", token).update(canonicalJson(changed), "utf8").digest("hex");
  return JSON.stringify({ ...changed, proof });
}

function resultIn(text: string): RunResult {
  const decoded = decode(text);
  if (!decoded.accepted) throw new Error(decoded.reason);
  return resultOf(decoded.document, receipt);
}

function refusalOf(text: string, withToken = token): string {
  const decoded = decode(text, withToken);
  if (decoded.accepted) throw new Error("it was accepted");
  return decoded.reason;
}

const anyResult: fc.Arbitrary<Partial<RunResult>> = fc.record({
  outcome: fc.constantFrom("completed", "error", "timeout", "cancelled"),
  figures: fc.dictionary(
    fc.string({ minLength: 1, maxLength: 20 }).filter((name) => name !== "__proto__"),
    fc.record({
      samples: fc.array(fc.double({ noNaN: true, noDefaultInfinity: true }), { maxLength: 20 }),
      higherIsBetter: fc.boolean(),
    }),
    { maxKeys: 5 },
  ),
  hardFacts: fc.array(fc.string({ minLength: 1, maxLength: 50 }), { maxLength: 4 }),
  facts: fc.dictionary(
    fc.string({ maxLength: 10 }).filter((name) => name !== "__proto__"),
    fc.jsonValue({ maxDepth: 3 }),
    { maxKeys: 5 },
  ),
});

describe("a result that is written and read again", () => {
  test("is the same", () => {
    expect(resultIn(encode())).toEqual(resultFor(intent));
  });

  test("is the same whatever it says", () => {
    fc.assert(
      fc.property(anyResult, (change) => {
        const wanted = JSON.parse(JSON.stringify(resultFor(intent, change))) as unknown;
        expect(JSON.parse(JSON.stringify(resultIn(encode(change))))).toEqual(wanted);
      }),
      { numRuns: 200 },
    );
  });

  test("keeps what is no number as NaN, which no rule lets pass", () => {
    const samples = [1, Number.NaN, Number.POSITIVE_INFINITY];
    const { figures } = resultIn(encode({ figures: { x: { samples, higherIsBetter: false } } }));
    expect(figures["x"]?.samples).toEqual([1, Number.NaN, Number.NaN]);
  });

  test("keeps a long error as far as it may be", () => {
    expect(resultIn(encode({ outcome: "error", error: "x".repeat(5000) })).error).toHaveLength(
      resultLimits.sentenceChars,
    );
  });
});

describe("times of a node whose clock is wrong", () => {
  test.each([
    ["in the future", 86_400_000, receipt.receivedAtMs],
    ["before the plan", -86_400_000, plannedAtMs],
    ["as they should be", 5_000, plannedAtMs + 5_000],
  ])("%s end between the plan and the receipt", (_, offsetMs, endedAtMs) => {
    const read = resultIn(encode({ endedAtMs: plannedAtMs + offsetMs }));
    expect(read.endedAtMs).toBe(endedAtMs);
  });
});

describe("a document that is not accepted", () => {
  test("cut off at any byte", () => {
    const whole = encode();
    // The last byte is the line end, which may be missing.
    for (let length = 0; length < whole.length - 1; length++) {
      expect(refusalOf(whole.slice(0, length)), `${length} bytes`).toBeTruthy();
    }
    expect(decode(whole.trimEnd()).accepted).toBe(true);
  });

  test("with any byte changed to another that changes its meaning", () => {
    const whole = bytesOf(encode());
    const meaning = canonicalJson(JSON.parse(encode()));
    fc.assert(
      fc.property(fc.nat(whole.length - 1), fc.integer({ min: 1, max: 255 }), (at, change) => {
        const broken = Uint8Array.from(whole);
        broken[at] = (broken[at] ?? 0) ^ change;
        const decoded = decodeResult(broken, token);
        if (!decoded.accepted) return;
        const text = new TextDecoder().decode(broken);
        expect(canonicalJson(JSON.parse(text))).toBe(meaning);
      }),
      { numRuns: 500 },
    );
  });

  test("with the token of another run", () => {
    expect(refusalOf(encode(), runToken("a secret", "another"))).toMatch(/proof/);
  });

  test.each([
    ["empty", "", /not JSON/],
    ["a bare NaN", "NaN", /not JSON/],
    ["a list", "[]", /not a JSON object/],
    ["null", "null", /not a JSON object/],
    ["without a proof", "{}", /proof/],
    ["with a proof that is none", '{"proof":12}', /proof/],
    ["nested beyond measure", "[".repeat(200_000) + "]".repeat(200_000), /not a JSON object/],
    [
      "nested beyond measure inside",
      `{"facts":${"[".repeat(100_000)}${"]".repeat(100_000)},"proof":"00"}`,
      /nested deeper/,
    ],
  ])("%s", (_, text, reason) => {
    expect(refusalOf(text)).toMatch(reason);
  });

  test("that is no text", () => {
    expect(decodeResult(Uint8Array.of(0xff, 0xfe, 0x00), token)).toMatchObject({ accepted: false });
  });

  test("that is too large", () => {
    const large = new Uint8Array(resultLimits.sizeBytes + 1).fill(32);
    expect(decodeResult(large, token)).toEqual({ accepted: false, reason: "it is too large" });
  });

  const figure = { samples: [1], higherIsBetter: true };
  test.each([
    ["another format", { format: "tessera.run-result/2" }, /format/],
    ["an outcome nobody knows", { outcome: "pass" }, /outcome/],
    ["a time that is none", { endedAt: "yesterday" }, /endedAt/],
    ["a field nobody knows", { verdict: "pass" }, /verdict/],
    ["a sample that is a text", { figures: { x: { ...figure, samples: ["1"] } } }, /samples/],
    ["too long a unit", { figures: { x: { ...figure, unit: "x".repeat(33) } } }, /unit/],
    [
      "too many figures",
      { figures: Object.fromEntries(Array.from({ length: 513 }, (_, i) => [`f${i}`, figure])) },
      /more than 512 figures/,
    ],
    [
      "too many samples in all",
      {
        figures: Object.fromEntries(
          ["a", "b"].map((name) => [
            name,
            { ...figure, samples: Array.from({ length: 60_000 }, () => 1) },
          ]),
        ),
      },
      /more than 100000 samples/,
    ],
    ["too many hard facts", { hardFacts: Array.from({ length: 257 }, () => "x") }, /hardFacts/],
    ["too many facts", { facts: { long: "x".repeat(300_000) } }, /facts/],
  ])("with %s, though it is proved", (_, change, reason) => {
    expect(refusalOf(proved((document) => ({ ...document, ...change })))).toMatch(reason);
  });

  test("the same without such a change is accepted", () => {
    expect(decode(proved((document) => document)).accepted).toBe(true);
  });
});

describe("whose a document is", () => {
  const decoded = decode(encode());
  if (!decoded.accepted) throw new Error(decoded.reason);

  test("it is that of its run", () => {
    expect(mismatch(decoded.document, intent)).toBeUndefined();
  });

  test.each([{ id: "other" }, { node: "node-8" }, { check: "dl-unit" }, { cluster: "prod" }])(
    "it is not that of %j",
    (change) => {
      expect(mismatch(decoded.document, intentOf(change))).toMatch(/^it is about/);
    },
  );
});
