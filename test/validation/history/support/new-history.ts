import { onTestFinished } from "vitest";
import type { Store } from "../../../../src/platform/store/index.ts";
import { type History, openHistory } from "../../../../src/validation/history/index.ts";
import type { RunIntent } from "../../../../src/validation/run.ts";
import type { EngineUnderTest } from "../../../platform/store/support/engines.ts";
import { intentOf } from "./samples.ts";

/** Two clusters that no other test uses, and a history to keep their runs in. */
export interface TestHistory {
  readonly history: History;
  readonly store: Store;
  readonly east: string;
  readonly west: string;
  /** An intent for `east`, unless told otherwise. */
  intentOf(changes?: Partial<RunIntent>): RunIntent;
}

const shared = new Map<EngineUnderTest, Promise<Store>>();
let count = 0;

/** A history in the store that the tests of an engine share: making a store takes longer than most. */
export async function newHistory(engine: EngineUnderTest): Promise<TestHistory> {
  const opening = shared.get(engine) ?? engine.newStore();
  shared.set(engine, opening);
  return within(await opening);
}

/** A history in a store of its own, closed when the test ends. */
export async function ownHistory(engine: EngineUnderTest): Promise<TestHistory> {
  const store = await engine.newStore();
  onTestFinished(() => store.close());
  return within(store);
}

/** Closes what the tests of an engine shared. */
export async function closeShared(engine: EngineUnderTest): Promise<void> {
  await (await shared.get(engine))?.close();
}

/** Plans runs that nothing is in the way of. */
export async function plan(history: History, ...intents: readonly RunIntent[]): Promise<void> {
  for (const intent of intents) {
    const gate = { cluster: intent.cluster, fence: 1, inFlightMax: 1000 };
    const { refused } = await history.planRuns(gate, [intent]);
    if (refused.length > 0) throw new Error(`refused: ${refused[0]?.why}`);
  }
}

function within(store: Store): TestHistory {
  count += 1;
  const east = `east-${count}`;
  return {
    history: openHistory(store),
    store,
    east,
    west: `west-${count}`,
    intentOf: (changes) => intentOf({ cluster: east, ...changes }),
  };
}
