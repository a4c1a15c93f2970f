import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { buildPriorityQueue } from "../../../src/validation/prioritize/index.ts";

const dayMs = 86_400_000;
const nowMs = 100 * dayMs;

/** Ages in days by node and check; a pair that is not there was never tested. */
function queueOf(
  freeNodes: readonly string[],
  ages: Readonly<Record<string, number>>,
  options: { readonly checks?: readonly string[]; readonly thresholdDays?: number } = {},
) {
  const { checks = ["dl"], thresholdDays = 7 } = options;
  const testedAtMs = (node: string, check: string) => {
    const age = ages[`${node}/${check}`];
    return age === undefined ? undefined : nowMs - age * dayMs;
  };
  return buildPriorityQueue(freeNodes, { readAtMs: nowMs, checks, testedAtMs }, thresholdDays);
}

const names = (entries: readonly { readonly node: string; readonly check: string }[]) =>
  entries.map(({ node, check }) => `${node}/${check}`);

describe("buildPriorityQueue", () => {
  it("puts nodes that were never tested first, then the oldest result", () => {
    const queue = queueOf(["a", "b", "c", "d"], { "a/dl": 8, "b/dl": 30, "d/dl": 9 });
    expect(names(queue)).toEqual(["c/dl", "b/dl", "d/dl", "a/dl"]);
  });

  it("leaves out what is not older than the threshold", () => {
    expect(names(queueOf(["a", "b", "c"], { "a/dl": 7, "b/dl": 7.001, "c/dl": 0 }))).toEqual([
      "b/dl",
    ]);
  });

  it("queues each check of a node by its own age; ties go by fleet order, then by check", () => {
    const queue = queueOf(["b", "a"], { "b/io": 9 }, { checks: ["dl", "io"] });
    expect(names(queue)).toEqual(["b/dl", "a/dl", "a/io", "b/io"]);
  });

  it("knows nothing of nodes that are not free", () => {
    expect(queueOf([], { "a/dl": 30 })).toEqual([]);
  });

  it("says why, in words and numbers", () => {
    const [first, second] = queueOf(["a", "b"], { "b/dl": 9.25 });
    expect(first?.reason).toBe("never tested");
    expect(second?.reason).toBe("last tested 9.3 d ago, over 7 d");
  });

  it("is sorted, complete and without what is fresh, whatever the history", () => {
    const age = fc.option(fc.integer({ min: 0, max: 40 }), { nil: undefined });
    fc.assert(
      fc.property(
        fc.array(age, { maxLength: 30 }),
        fc.integer({ min: 0, max: 30 }),
        (list, days) => {
          const nodes = list.map((_, index) => `n${index}`);
          const ages = Object.fromEntries(
            list.flatMap((one, index) => (one === undefined ? [] : [[`n${index}/dl`, one]])),
          );
          const queue = queueOf(nodes, ages, { thresholdDays: days });
          const due = list.filter((one) => one === undefined || one > days).length;
          expect(queue).toHaveLength(due);
          const ranks = queue.map(({ testedAtMs }) => testedAtMs ?? Number.NEGATIVE_INFINITY);
          expect(ranks.every((rank, at) => at === 0 || (ranks[at - 1] ?? rank) <= rank)).toBe(true);
        },
      ),
    );
  });
});
