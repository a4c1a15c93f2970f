import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { ByteBudget, Together } from "../../../../src/runtime/checkpoint/save/hashing.ts";

const page = 4096;

describe("a budget of bytes", () => {
  test("is never overdrawn but by one alone, and everybody gets their turn in order", async () => {
    const one = fc.record({ pages: fc.integer({ min: 1, max: 8 }), turns: fc.nat(9) });
    await fc.assert(
      fc.asyncProperty(fc.array(one, { maxLength: 30 }), async (all) => {
        const limit = 6 * page;
        const budget = new ByteBudget(limit);
        let used = 0;
        const order: number[] = [];
        const work = all.map(async ({ pages, turns }, at) => {
          const loan = await budget.take(pages * page);
          order.push(at);
          expect(used === 0 || used + pages * page <= limit).toBe(true);
          used += pages * page;
          expect(loan.buffer.byteLength).toBe(pages * page);
          for (let turn = 0; turn < turns; turn++) await Promise.resolve();
          used -= pages * page;
          loan.giveBack();
        });
        await Promise.all(work);
        expect(order).toEqual(all.map((_, at) => at));
      }),
    );
  });

  test("lends the same memory again, and never twice at once", async () => {
    const budget = new ByteBudget(10 * page);
    const first = await budget.take(page);
    const second = await budget.take(page - 1);
    expect(second.buffer).not.toBe(first.buffer);
    first.giveBack();
    expect((await budget.take(page)).buffer).toBe(first.buffer);
    expect(() => first.giveBack()).toThrow("once");
  });
});

test("work that goes on together ends together, with the first error", async () => {
  const together = new Together();
  let ended = 0;
  const after = async (turns: number) => {
    for (let turn = 0; turn < turns; turn++) await Promise.resolve();
    ended++;
  };
  together.start(() => after(5));
  together.start(() => Promise.reject(new Error("first")));
  together.start(async () => {
    await after(3);
    throw new Error("second");
  });
  await expect(together.finish()).rejects.toThrow("first");
  expect(ended).toBe(2);
  expect(() => together.start(() => after(1))).toThrow("first");
});
