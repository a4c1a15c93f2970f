import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { atOnce, inTurns, type Steps } from "../../../src/platform/concurrency/index.ts";

function* sum(values: readonly number[]): Steps<number> {
  let total = 0;
  for (const value of values) {
    total += value;
    yield;
  }
  return total;
}

function* failing(): Steps<number> {
  yield;
  throw new Error("no");
}

describe("work in steps", () => {
  it("gives the same at once and in turns", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.integer(), { maxLength: 20 }), async (values) => {
        expect(await inTurns(sum(values))).toBe(atOnce(sum(values)));
      }),
    );
  });

  it("lets others have their turn between its steps, and not within one", async () => {
    const order: string[] = [];
    function* work(name: string): Steps<void> {
      order.push(`${name} begins`);
      yield;
      order.push(`${name} ends`);
    }
    await Promise.all([inTurns(work("a")), inTurns(work("b"))]);
    expect(order).toEqual(["a begins", "b begins", "a ends", "b ends"]);
  });

  it("fails as the work does", async () => {
    expect(() => atOnce(failing())).toThrow("no");
    await expect(inTurns(failing())).rejects.toThrow("no");
  });
});
