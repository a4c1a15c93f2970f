import { describe, expect, onTestFinished, test } from "vitest";
import { openStore } from "../../../../src/platform/store/index.ts";
import { createRealClock } from "../../../../src/platform/time/index.ts";
import { openHistory } from "../../../../src/validation/history/index.ts";
import type { EngineUnderTest } from "../../../platform/store/support/engines.ts";
import { newHistory, plan, type TestHistory } from "../support/new-history.ts";
import { fromPod, intentOf, resultOf } from "../support/samples.ts";

const limits = { fence: 1, inFlightMax: 10 };

export function planningSuite(engine: EngineUnderTest): void {
  const reasons = async (test: TestHistory, changes: object, nodes: readonly string[]) => {
    const intents = nodes.map((node) => test.intentOf({ node }));
    const gate = { cluster: test.east, ...limits, ...changes };
    const { planned, refused } = await test.history.planRuns(gate, intents);
    return [
      ...planned.map(({ node }) => `${node} planned`),
      ...refused.map(({ intent, why }) => `${intent.node} ${why}`),
    ];
  };

  describe("a plan", () => {
    test("goes as far as the limit, and further when a run has ended", async () => {
      const own = await newHistory(engine);
      const { history, intentOf } = own;
      const limit = { inFlightMax: 2 };
      expect(await reasons(own, limit, ["n1", "n2", "n3"])).toEqual([
        "n1 planned",
        "n2 planned",
        "n3 limit",
      ]);
      expect(await reasons(own, limit, ["n3"])).toEqual(["n3 limit"]);
      await history.recordResult(resultOf(intentOf({ node: "n1" })), fromPod());
      expect(await reasons(own, limit, ["n3"])).toEqual(["n3 planned"]);
    });

    test("gives a node one run at a time, in each cluster", async () => {
      const own = await newHistory(engine);
      const { history, east, west, intentOf } = own;
      await plan(history, intentOf({ cluster: west }));
      const again = [intentOf(), intentOf({ check: "storage-io" })];
      const { planned, refused } = await history.planRuns({ cluster: east, ...limits }, again);
      expect(planned).toEqual(again.slice(0, 1));
      expect(refused).toEqual([{ intent: again[1], why: "node-in-use" }]);
    });

    test("made twice is made once, even when the limit is reached", async () => {
      const own = await newHistory(engine);
      const { history, east } = own;
      const limit = { inFlightMax: 1 };
      expect(await reasons(own, limit, ["n1", "n1"])).toEqual(["n1 planned", "n1 planned"]);
      expect(await reasons(own, limit, ["n1"])).toEqual(["n1 planned"]);
      expect(await history.runs({ cluster: east })).toHaveLength(1);
    });

    test("of a leader that was superseded is refused whole, and leaves nothing", async () => {
      const own = await newHistory(engine);
      const { history, east } = own;
      expect(await reasons(own, { fence: 7 }, [])).toEqual([]);
      expect(await reasons(own, { fence: 6 }, ["n1", "n2"])).toEqual([
        "n1 superseded",
        "n2 superseded",
      ]);
      expect(await history.runs({ cluster: east })).toEqual([]);
      expect(await reasons(own, { fence: 7 }, ["n1"])).toEqual(["n1 planned"]);
    });

    test("is not held up by the leader of another cluster", async () => {
      const own = await newHistory(engine);
      const { history, west } = own;
      await history.planRuns({ ...limits, cluster: west, fence: 99 }, []);
      expect(await reasons(own, { fence: 1 }, ["n1"])).toEqual(["n1 planned"]);
    });
  });

  describe("two who plan at once through connections of their own", () => {
    test("never exceed the limit together, nor give a node two runs", async () => {
      const url = await engine.newUrl();
      const clock = createRealClock();
      const stores = [await openStore({ url, clock }), await openStore({ url, clock })];
      onTestFinished(() => Promise.all(stores.map((store) => store.close())).then(() => undefined));
      const histories = stores.map(openHistory);
      const inFlightMax = 5;
      const rounds = engine.name === "sqlite" ? 8 : 5;
      for (let round = 0; round < rounds; round += 1) {
        const answers = await Promise.all(
          histories.flatMap((history, who) =>
            [0, 1].map((turn) => {
              const plannedAtMs = 1000 * round + 10 * who + turn;
              const intents = Array.from({ length: 4 }, (_, at) =>
                intentOf({ node: `n${(at + turn) % 6}`, plannedAtMs }),
              );
              return history.planRuns({ cluster: "east", fence: 1, inFlightMax }, intents);
            }),
          ),
        );
        const [history] = histories;
        const open = (await history?.openRuns("east")) ?? [];
        const planned = answers.flatMap((answer) => answer.planned);
        expect(open.map(({ intent }) => intent.id).toSorted()).toEqual(
          planned.map(({ id }) => id).toSorted(),
        );
        expect(open.length).toBe(inFlightMax);
        expect(new Set(open.map(({ intent }) => intent.node)).size).toBe(inFlightMax);
        await Promise.all(
          open.map(async ({ intent }, at) =>
            histories[at % 2]?.recordResult(resultOf(intent), fromPod()),
          ),
        );
      }
    });
  });

  describe("an open run", () => {
    test("shows what was noticed about its job first, and is gone with its result", async () => {
      const own = await newHistory(engine);
      const { history, east, west, intentOf } = own;
      const intent = intentOf();
      await plan(history, intent, intentOf({ node: "n0", plannedAtMs: 500 }));
      await history.noteRun(intent.id, { phase: "submitted", atMs: 5 });
      await history.noteRun(intent.id, { phase: "submitted", atMs: 6 });
      await history.noteRun(intent.id, { phase: "running", atMs: 7 });
      const ending = { atMs: 8, reason: "pending for 10 min", outcome: "timeout" } as const;
      await history.noteRun(intent.id, { phase: "cancelling", ...ending });
      await history.noteRun(intent.id, { phase: "cancelling", ...ending, outcome: "cancelled" });
      expect(await history.openRuns(east)).toEqual([
        {
          intent: intentOf({ node: "n0", plannedAtMs: 500 }),
          submittedAtMs: undefined,
          runningAtMs: undefined,
          cancelling: undefined,
        },
        { intent, submittedAtMs: 5, runningAtMs: 7, cancelling: ending },
      ]);
      await history.recordResult(resultOf(intent), fromPod());
      expect(await history.openRuns(east)).toHaveLength(1);
      expect(await history.openRuns(west)).toEqual([]);
    });
  });
}
