import { join } from "node:path";
import { describe, expect, it } from "vitest";
import {
  noteLeaderWord,
  noWord,
  ownWord,
  readLeaderWord,
  wordGoodForMs,
} from "../../../src/control/fleet/leader-word.ts";
import { openStore } from "../../../src/platform/store/index.ts";
import { VirtualClock } from "../../../src/platform/time/virtual-clock.ts";
import { tempDir } from "../../support/temp-dir.ts";

const word = {
  troubles: [{ step: "submit", problem: "forbidden" }],
  refused: { nodes: 3, reason: "more than 10 % are closed" },
};

async function newStore() {
  const clock = new VirtualClock();
  const store = await openStore({ url: `sqlite:${join(await tempDir(), "t.db")}`, clock });
  return { store, [Symbol.asyncDispose]: () => store.close() };
}

/** A loop that decided once to leave two failed nodes open, in a state of now. */
function processIn(state: "leading" | "waiting"): Parameters<typeof ownWord>[0] {
  const reason = "more than 10 % are closed";
  const refusals = [
    { node: "a", code: "share", reason },
    { node: "b", code: "share", reason },
  ] as const;
  const decision = { actions: [], refusals, wanted: [], health: [] };
  return {
    care: { last: () => ({ decision, outcomes: [] }) },
    loop: { status: () => ({ state, troubles: [] }) },
  } as unknown as Parameters<typeof ownWord>[0];
}

describe("what only the leader of a cluster knows", () => {
  it("is read by another process, for each cluster, the newest in place of the one before", async () => {
    await using given = await newStore();
    const { store } = given;
    expect(await readLeaderWord(store, "prod", 1_000)).toEqual(noWord);
    await noteLeaderWord(store, "prod", { atMs: 1_000, word });
    expect(await readLeaderWord(store, "prod", 1_000)).toEqual(word);
    expect(await readLeaderWord(store, "lab", 1_000)).toEqual(noWord);
    await noteLeaderWord(store, "prod", { atMs: 2_000, word: noWord });
    expect(await readLeaderWord(store, "prod", 2_000)).toEqual(noWord);
  });

  it("is nobody's word any more when it is old, whichever clock is ahead", async () => {
    await using given = await newStore();
    const { store } = given;
    const atMs = 10 * wordGoodForMs;
    await noteLeaderWord(store, "prod", { atMs, word });
    const readAt = (ms: number) => readLeaderWord(store, "prod", atMs + ms);
    expect(await readAt(wordGoodForMs)).toEqual(word);
    expect(await readAt(wordGoodForMs + 1)).toEqual(noWord);
    expect(await readAt(-wordGoodForMs - 1)).toEqual(noWord);
  });

  it("holds nothing of what this process decided when it led", () => {
    expect(ownWord(processIn("leading")).refused).toMatchObject({ nodes: 2 });
    expect(ownWord(processIn("waiting"))).toEqual(noWord);
  });
});
