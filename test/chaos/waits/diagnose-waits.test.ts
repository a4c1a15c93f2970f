import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { diagnoseWaits, type RankWait, suspectsOf } from "../../../src/chaos/waits/index.ts";

const running: RankWait = { kind: "running" };
const gone: RankWait = { kind: "gone" };

function inAllReduce(
  group: readonly number[],
  sequence: number,
  other: Partial<Extract<RankWait, { kind: "collective" }>> = {},
): RankWait {
  const wish = { op: "all-reduce", bytes: 4096, dtype: "bf16" };
  return { kind: "collective", group, sequence, ...wish, ...other };
}

function transfer(kind: "send" | "receive", peer: number, bytes = 64): RankWait {
  return { kind, peer, bytes, dtype: "fp32" };
}

const pair = [0, 1];
const three = [0, 1, 2];

describe("ranks that wait", () => {
  it.each<[string, readonly RankWait[], string, readonly number[], readonly number[], string]>([
    [
      "for one that is gone",
      [inAllReduce(three, 5), inAllReduce(three, 5), gone],
      "missing rank",
      [0, 1],
      [2],
      "ranks 0 and 1 wait for rank 2, gone and missing in all-reduce 5 (4096 bytes of bf16) of ranks 0, 1 and 2",
    ],
    [
      "for one that waits for one that is gone",
      [inAllReduce(pair, 1), inAllReduce([1, 2], 1), gone],
      "missing rank",
      [0, 1],
      [2],
      "ranks 0 and 1 wait for rank 2, gone and missing in all-reduce 1 (4096 bytes of bf16) of ranks 1 and 2",
    ],
    [
      "in different operations",
      [inAllReduce(three, 5), inAllReduce(three, 5), inAllReduce(three, 5, { op: "broadcast" })],
      "different op",
      three,
      [2],
      "rank 2 is in broadcast 5 (4096 bytes of bf16) of ranks 0, 1 and 2, rank 0 is in all-reduce 5 (4096 bytes of bf16) of ranks 0, 1 and 2: it cannot end",
    ],
    [
      "with different sizes, though one has still to come",
      [inAllReduce(three, 5), inAllReduce(three, 5, { bytes: 1 }), running],
      "different size",
      pair,
      pair,
      "rank 0 is in all-reduce 5 (4096 bytes of bf16) of ranks 0, 1 and 2, rank 1 is in all-reduce 5 (1 bytes of bf16) of ranks 0, 1 and 2: it cannot end",
    ],
    [
      "with different types of number",
      [inAllReduce(pair, 5), inAllReduce(pair, 5, { dtype: "fp32" })],
      "different size",
      pair,
      pair,
      "rank 0 is in all-reduce 5 (4096 bytes of bf16) of ranks 0 and 1, rank 1 is in all-reduce 5 (4096 bytes of fp32) of ranks 0 and 1: it cannot end",
    ],
    [
      "in two groups in different order",
      [inAllReduce([0, 1], 3), inAllReduce([1, 0], 2)],
      "different order",
      pair,
      pair,
      "rank 0 is in all-reduce 3 (4096 bytes of bf16) of ranks 0 and 1, rank 1 is in all-reduce 2 (4096 bytes of bf16) of ranks 1 and 0: each waits for the next, the last for the first",
    ],
    [
      "both to receive",
      [transfer("receive", 1), transfer("receive", 0)],
      "unmatched send or receive",
      pair,
      pair,
      "rank 0 is in a receive of 64 bytes of fp32 from rank 1, rank 1 is in a receive of 64 bytes of fp32 from rank 0: each waits for the next, the last for the first",
    ],
    [
      "to send more than the other takes",
      [transfer("send", 1, 64), transfer("receive", 0, 32)],
      "different size",
      pair,
      pair,
      "rank 0 is in a send of 64 bytes of fp32 to rank 1, rank 1 is in a receive of 32 bytes of fp32 from rank 0: it cannot end",
    ],
    [
      "for one that is blocked in a lock for ever",
      [inAllReduce(pair, 1), { kind: "outside", what: "lock", comes: false }],
      "outside a collective",
      pair,
      [1],
      "rank 1 is blocked outside of any exchange (lock), and rank 0 waits for it",
    ],
  ])("%s are stuck", (_, waits, cause, ranks, culprits, reason) => {
    const { stuck, slow } = diagnoseWaits(waits);
    expect(stuck).toEqual([{ cause, ranks, culprits, reason }]);
    expect(slow).toBeNull();
  });

  it.each<[string, readonly RankWait[], readonly number[], readonly number[]]>([
    [
      "for one that still runs",
      [inAllReduce(three, 5), inAllReduce(three, 5), running],
      [0, 1],
      [2],
    ],
    [
      "for one that waits for one that still runs",
      [inAllReduce(pair, 1), inAllReduce([1, 2], 1), running],
      [0, 1],
      [2],
    ],
    [
      "for one that reads from a slow disk",
      [inAllReduce(pair, 1), { kind: "outside", what: "storage", comes: true }],
      [0],
      [1],
    ],
    ["to send to one that still runs", [transfer("send", 1), running], [0], [1]],
  ])("%s are not stuck", (_, waits, ranks, waitFor) => {
    const { stuck, slow } = diagnoseWaits(waits);
    expect(stuck).toEqual([]);
    expect(slow).toMatchObject({ ranks, waitFor });
  });

  it("are not stuck when all are there, or when others are in the next exchange already", () => {
    expect(diagnoseWaits([inAllReduce(pair, 5), inAllReduce(pair, 5)])).toEqual({
      stuck: [],
      slow: null,
    });
    expect(diagnoseWaits([inAllReduce(pair, 5), inAllReduce(pair, 6)]).stuck).toEqual([]);
    expect(diagnoseWaits([transfer("send", 1), transfer("receive", 0)]).stuck).toEqual([]);
    expect(diagnoseWaits([running, gone])).toEqual({ stuck: [], slow: null });
  });

  it("are told apart where they have nothing to do with each other", () => {
    const waits = [
      inAllReduce([0, 1], 1),
      gone,
      transfer("receive", 3),
      transfer("receive", 2),
      running,
    ];
    expect(diagnoseWaits(waits).stuck.map(({ cause, ranks }) => [cause, ranks])).toEqual([
      ["missing rank", [0]],
      ["unmatched send or receive", [2, 3]],
    ]);
  });

  it("are one set when the same one is gone for all of them", () => {
    const waits = [inAllReduce([0, 2], 1), inAllReduce([1, 2], 4), gone];
    expect(diagnoseWaits(waits).stuck).toMatchObject([{ ranks: [0, 1], culprits: [2] }]);
  });

  it("suspect those who have not come, and nobody when they wait for no rank", () => {
    const waits = [inAllReduce(three, 5), running, gone];
    expect(suspectsOf(waits, 0)).toEqual([1, 2]);
    expect(suspectsOf(waits, 1)).toEqual([]);
  });

  it("are found among a thousand", () => {
    const all = Array.from({ length: 1024 }, (_, rank) => rank);
    const waits = all.map((rank) => (rank === 700 ? gone : inAllReduce(all, 9)));
    const [set] = diagnoseWaits(waits).stuck;
    expect(set?.culprits).toEqual([700]);
    expect(set?.ranks).toHaveLength(1023);
  });
});

const ranks = 5;
const anyGroup = fc
  .uniqueArray(fc.nat(ranks - 1), { minLength: 1, maxLength: ranks })
  .map((group) => group.toSorted((a, b) => a - b));

function anyWait(rank: number): fc.Arbitrary<RankWait> {
  return fc.oneof(
    fc.constantFrom<RankWait>(running, gone),
    fc
      .tuple(anyGroup, fc.integer({ min: 1, max: 2 }), fc.boolean(), fc.boolean())
      .map(([group, sequence, isOther, isLarger]) => {
        const own = [...new Set([...group, rank])].toSorted((a, b) => a - b);
        const op = isOther ? "broadcast" : "all-reduce";
        return inAllReduce(own, sequence, { op, bytes: isLarger ? 2 : 1 });
      }),
    fc
      .tuple(fc.constantFrom("send", "receive"), fc.nat(ranks - 1), fc.integer({ min: 1, max: 2 }))
      .map(([kind, peer, bytes]) => transfer(kind, peer, bytes)),
    fc.boolean().map((comes): RankWait => ({ kind: "outside", what: "data", comes })),
  );
}

const anyWaits = fc.tuple(...Array.from({ length: ranks }, (_, rank) => anyWait(rank)));

/** Whether this rank can never go on if none of `held` ever does; straight from the definition. */
function isHeld(waits: readonly RankWait[], rank: number, held: ReadonlySet<number>): boolean {
  const wait = waits[rank] as RankWait;
  const never = (other: number) => waits[other]?.kind === "gone" || held.has(other);
  if (wait.kind === "outside") return !wait.comes;
  if (wait.kind === "send" || wait.kind === "receive") {
    const other = waits[wait.peer] as RankWait;
    const isMet =
      (other.kind === "send" || other.kind === "receive") &&
      other.kind !== wait.kind &&
      other.peer === rank;
    return isMet ? other.bytes !== wait.bytes : never(wait.peer);
  }
  if (wait.kind !== "collective") return false;
  return wait.group.some((member) => {
    const other = waits[member] as RankWait;
    const isSame = other.kind === "collective" && String(other.group) === String(wait.group);
    if (isSame && other.sequence === wait.sequence) {
      return other.op !== wait.op || other.bytes !== wait.bytes;
    }
    if (isSame && other.sequence > wait.sequence) return false;
    return never(member);
  });
}

describe("the diagnosis", () => {
  it("finds exactly the largest set of ranks that hold each other", () => {
    fc.assert(
      fc.property(anyWaits, (waits) => {
        const expected = new Set<number>();
        for (let mask = 0; mask < 2 ** ranks; mask++) {
          const held = new Set([...Array(ranks).keys()].filter((rank) => (mask >> rank) & 1));
          const isClosed = [...held].every((rank) => isHeld(waits, rank, held));
          if (isClosed) for (const rank of held) expected.add(rank);
        }
        const found = diagnoseWaits(waits).stuck.flatMap((set) => set.ranks);
        expect(new Set(found)).toEqual(expected);
        expect(new Set(found).size).toBe(found.length);
      }),
      { numRuns: 2000 },
    );
  });

  it("says of every set whom it hangs on, in a sentence", () => {
    fc.assert(
      fc.property(anyWaits, (waits) => {
        for (const { culprits, reason, cause } of diagnoseWaits(waits).stuck) {
          expect(culprits.length).toBeGreaterThan(0);
          expect(reason.length).toBeGreaterThan(10);
          if (cause !== "missing rank") continue;
          expect(culprits.every((rank) => waits[rank]?.kind === "gone")).toBe(true);
        }
      }),
    );
  });
});
