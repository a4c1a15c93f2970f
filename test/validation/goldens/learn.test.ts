import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { goldensOf, learnGoldens, readDigests } from "../../../src/validation/goldens/index.ts";
import { hourMs, run, startMs } from "../judge/records.ts";
import { answers, fleetWith, software } from "./support.ts";

const same = (count: number, digest = "a") => Array.from({ length: count }, () => digest);

describe("learning goldens", () => {
  it("believes what eight nodes agree on, with the votes behind it", () => {
    const [golden, ...others] = learnGoldens(fleetWith(same(8)));
    expect(others).toEqual([]);
    expect(golden).toMatchObject({
      cluster: "prod",
      check: "dl-unit",
      softwareKey: software,
      digests: { "gemm 64 exact": "a" },
      votes: { "gemm 64 exact": { nodes: 8, agreeing: 8 } },
    });
    expect(golden?.runIds).toHaveLength(8);
  });

  it("believes nothing of seven nodes, however many runs they have", () => {
    const twice = [...fleetWith(same(7)), ...fleetWith(same(7), startMs + 100 * hourMs)];
    expect(learnGoldens(twice)).toEqual([]);
  });

  it("needs nine of ten: one odd node in ten is outvoted, two are not", () => {
    expect(learnGoldens(fleetWith([...same(9), "b"]))[0]?.digests).toEqual({
      "gemm 64 exact": "a",
    });
    expect(learnGoldens(fleetWith([...same(8), "b", "b"]))).toEqual([]);
  });

  it("leaves out nodes whose GPUs differ among themselves, and runs broken on purpose", () => {
    const torn = fleetWith(same(8)).map((record, at) => {
      if (at > 0 || record.result === undefined) return record;
      return { ...record, result: { ...record.result, facts: answers("a", { other: "b" }) } };
    });
    expect(learnGoldens(torn)).toEqual([]);
    expect(readDigests({ ...answers("a"), brokenOnPurpose: { gpu: 0 } })).toBeUndefined();
    expect(readDigests({})).toBeUndefined();
    expect(readDigests({ ...answers("a"), softwareKey: ["one", "other"] })).toBeUndefined();
  });

  it("counts a node's newest run, and software apart", () => {
    const later = run({
      node: "n0",
      check: "dl-unit",
      atMs: startMs + 100 * hourMs,
      result: { facts: answers("b") },
    });
    expect(learnGoldens([...fleetWith(same(8)), later])).toEqual([]);
    const elsewhere = run({
      node: "n9",
      check: "dl-unit",
      result: { facts: answers("b", { softwareKey: "other" }) },
    });
    expect(learnGoldens([...fleetWith(same(8)), elsewhere])).toHaveLength(1);
  });

  it("does not learn again what is frozen, and passes over runs that did not complete", () => {
    const [golden] = learnGoldens(fleetWith(same(8)));
    if (golden === undefined) throw new Error("nothing was learned");
    expect(learnGoldens(fleetWith(same(12, "b")), [golden])).toEqual([]);
    const failed = fleetWith(same(8)).map((record) => ({
      ...record,
      result: record.result && { ...record.result, outcome: "error" as const },
    }));
    expect(learnGoldens(failed)).toEqual([]);
  });

  it("never calls a node wrong that has what was learned from its own fleet", () => {
    const digest = fc.constantFrom("a", "a", "a", "a", "b");
    fc.assert(
      fc.property(fc.array(digest, { minLength: 1, maxLength: 40 }), (digests) => {
        const runs = fleetWith(digests);
        const frozen = learnGoldens(runs);
        const wrong = runs.filter((record) => goldensOf(frozen).wrongAnswers(record).length > 0);
        // At most a tenth can be at odds with what nine tenths agree on.
        expect(wrong.length).toBeLessThanOrEqual(digests.length / 10);
        expect(frozen.length).toBeLessThanOrEqual(digests.length >= 8 ? 1 : 0);
      }),
    );
  });
});

describe("comparing with goldens", () => {
  const frozen = learnGoldens(fleetWith(same(8)));
  const wrongIn = (facts: ReturnType<typeof answers>, cluster = "prod") =>
    goldensOf(frozen).wrongAnswers(
      run({ node: "n1", check: "dl-unit", cluster, result: { facts } }),
    );

  it("names device, case and both digests where they differ", () => {
    expect(wrongIn(answers("a", { other: "b" }))).toEqual([
      "gpu 1: gemm 64 exact: the digest is b, and nodes with the same software have a",
    ]);
  });

  it("says nothing about answers that are right, other software or another cluster", () => {
    expect(wrongIn(answers("a"))).toEqual([]);
    expect(wrongIn(answers("b", { softwareKey: "newer" }))).toEqual([]);
    expect(wrongIn(answers("b"), "lab")).toEqual([]);
  });
});
