import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { TesseraError } from "../../../src/platform/errors/index.ts";
import { Batcher, type BatchLimits } from "../../../src/validation/history/batcher.ts";

const roomy: BatchLimits = { itemsMax: 10, weightMax: 100, waitingMax: 100, waitingWeightMax: 1e6 };
const full = () => new Error("full");
const busy = () => new TesseraError("E_STORE_BUSY", { store: "x", problem: "y" });

/** A batcher that answers each number with its double, and the batches it made. */
function doubling(
  limits: Partial<BatchLimits> = {},
  before: (batch: readonly number[]) => void = () => undefined,
) {
  const batches: (readonly number[])[] = [];
  const work = async (items: readonly number[]) => {
    batches.push(items);
    await Promise.resolve();
    before(items);
    return items.map((item) => 2 * item);
  };
  return { batches, batcher: new Batcher({ work, limits: { ...roomy, ...limits }, full }) };
}

describe("callers who come together", () => {
  test("share a turn, and each gets its own answer", async () => {
    const { batcher, batches } = doubling();
    expect(await Promise.all([1, 2, 3].map((item) => batcher.add(item, 1)))).toEqual([2, 4, 6]);
    expect(await batcher.add(4, 1)).toBe(8);
    expect(batches).toEqual([[1, 2, 3], [4]]);
  });

  test("are served in order, in turns neither too long nor too heavy", async () => {
    const item = fc.integer({ min: 1, max: 30 });
    const limits = { itemsMax: 3, weightMax: 40 };
    await fc.assert(
      fc.asyncProperty(fc.array(item, { maxLength: 30 }), async (items) => {
        const { batcher, batches } = doubling(limits);
        const answers = await Promise.all(items.map((each) => batcher.add(each, each)));
        expect(answers).toEqual(items.map((each) => 2 * each));
        expect(batches.flat()).toEqual(items);
        for (const batch of batches) {
          expect(batch.length).toBeLessThanOrEqual(limits.itemsMax);
          expect(batch.reduce((sum, each) => sum + each, 0)).toBeLessThanOrEqual(limits.weightMax);
        }
      }),
    );
  });

  test("may be heavier alone than a turn should be", async () => {
    const { batcher, batches } = doubling();
    await Promise.all([batcher.add(1, 1), batcher.add(2, 1000), batcher.add(3, 1)]);
    expect(batches).toEqual([[1], [2], [3]]);
  });

  test("are refused when too many wait, and served again later", async () => {
    const { batcher } = doubling({ waitingMax: 2 });
    const outcomes = await Promise.allSettled([1, 2, 3].map((item) => batcher.add(item, 1)));
    expect(outcomes.map(({ status }) => status)).toEqual(["fulfilled", "fulfilled", "rejected"]);
    expect(await batcher.add(4, 1)).toBe(8);
  });

  test("are refused when what waits is too heavy", async () => {
    const { batcher } = doubling({ waitingWeightMax: 10 });
    const outcomes = await Promise.allSettled([1, 2].map((item) => batcher.add(item, 10)));
    expect(outcomes.map(({ status }) => status)).toEqual(["fulfilled", "rejected"]);
  });
});

describe("a turn that fails", () => {
  test("is taken again one by one, so that only the guilty fails", async () => {
    const { batcher, batches } = doubling({}, (batch) => {
      if (batch.includes(2)) throw new TypeError("not a two");
    });
    const outcomes = await Promise.allSettled([1, 2, 3].map((item) => batcher.add(item, 1)));
    expect(outcomes.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "fulfilled"]);
    expect(batches).toEqual([[1, 2, 3], [1], [2], [3]]);
  });

  test("because of the store fails for everyone at once, and the next may succeed", async () => {
    let failures = 1;
    const { batcher, batches } = doubling({}, () => {
      if (failures-- > 0) throw busy();
    });
    const outcomes = await Promise.allSettled([1, 2].map((item) => batcher.add(item, 1)));
    expect(outcomes.map(({ status }) => status)).toEqual(["rejected", "rejected"]);
    expect(batches).toHaveLength(1);
    expect(await batcher.add(3, 1)).toBe(6);
  });
});
