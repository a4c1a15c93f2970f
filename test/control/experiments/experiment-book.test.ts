import { expect, test } from "vitest";
import { ExperimentBook } from "../../../src/control/experiments/experiment-book.ts";
import { describeOnEngines } from "../../platform/store/support/engines.ts";

const row = {
  id: "x1",
  title: "One",
  world: "sim",
  seed: "0",
  state: "running",
  outcome: null,
  reason: null,
  faults: "[]",
  started_by: "somebody",
  started_at: 1,
  ended_at: null,
  holder: "here/1",
  seen_at: 1,
  phase: null,
  text: "",
  plan: "{}",
  detail: null,
  report: null,
  reproducer: null,
} as const;

function event(seq: number) {
  const text = `step ${seq}`;
  return { seq, atS: seq, phase: "method", kind: "step", text, step: seq, units: 1 } as const;
}

describeOnEngines((engine) => {
  const openBook = async () => {
    const store = await engine.newStore();
    return { book: new ExperimentBook(store), [Symbol.asyncDispose]: () => store.close() };
  };
  const all = { after: -1, limit: 100 };

  test("events that come again are there once, beside those that are new", async () => {
    await using opened = await openBook();
    const { book } = opened;
    const seq = await book.add(row, 10);
    await book.addEvents(seq, [event(0), event(1)]);
    await book.addEvents(seq, [event(0), event(1), event(2)]);
    expect((await book.events(seq, all)).map(({ text }) => text)).toEqual([
      "step 0",
      "step 1",
      "step 2",
    ]);
    expect(await book.eventsTotal(seq)).toBe(3);
  });

  test("events of another experiment with the same numbers are its own", async () => {
    await using opened = await openBook();
    const { book } = opened;
    const [one, other] = [await book.add(row, 10), await book.add({ ...row, id: "x2" }, 10)];
    await book.addEvents(one, [event(0)]);
    await book.addEvents(other, [event(0), event(1)]);
    expect([await book.eventsTotal(one), await book.eventsTotal(other)]).toEqual([1, 2]);
  });
});
