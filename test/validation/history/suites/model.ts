import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { History, RunNote } from "../../../../src/validation/history/index.ts";
import type { RunIntent, RunResult, RunVerdict } from "../../../../src/validation/run.ts";
import type { EngineUnderTest } from "../../../platform/store/support/engines.ts";
import { HistoryModel } from "../support/model.ts";
import { newHistory } from "../support/new-history.ts";
import { from, intentOf, resultOf, verdictOf } from "../support/samples.ts";

const nodes = ["n1", "n2"];
const checks = ["dl-unit", "storage-io"];

/** A run by its place in a small world; many steps meet the same one. */
const place = fc.record({
  node: fc.constantFrom(...nodes),
  check: fc.constantFrom(...checks),
  plannedAtMs: fc.constantFrom(1000, 2000),
});
type Place = typeof place extends fc.Arbitrary<infer Value> ? Value : never;

const outcome = fc.constantFrom("completed", "completed", "error", "timeout");
const origin = fc.constantFrom("pod", "loop");

const planStep = fc.record({
  kind: fc.constant("plan"),
  places: fc.array(place, { minLength: 1, maxLength: 4 }),
  fence: fc.constantFrom(1, 1, 1, 1, 2),
  inFlightMax: fc.constantFrom(0, 1, 9, 9),
});
const noteStep = fc.record({
  kind: fc.constant("note"),
  place,
  phase: fc.constantFrom("submitted", "running", "cancelling"),
  atMs: fc.nat(50),
});
const resultStep = fc.record({
  kind: fc.constant("result"),
  // Several at once share a transaction.
  all: fc.array(
    fc.record({ place, origin, outcome, endedAtMs: fc.constantFrom(3000, 4000, 5000) }),
    { minLength: 1, maxLength: 6 },
  ),
});
const verdictStep = fc.record({
  kind: fc.constant("verdict"),
  place,
  verdict: fc.constantFrom("pass", "fail", "unknown"),
  about: fc.option(fc.constant("loop"), { nil: undefined }),
});
const step = fc.oneof(
  { weight: 3, arbitrary: planStep },
  { weight: 1, arbitrary: noteStep },
  { weight: 3, arbitrary: resultStep },
  { weight: 1, arbitrary: verdictStep },
);
type Step = typeof step extends fc.Arbitrary<infer Value> ? Value : never;

export function modelSuite(engine: EngineUnderTest): void {
  describe("any sequence of plans, notes, results and verdicts", () => {
    test("leaves what a model of a few lines says it should", async () => {
      const { history } = await newHistory(engine);
      let worlds = 0;
      const property = fc.asyncProperty(
        fc.array(step, { minLength: 10, maxLength: 40 }),
        async (steps) => {
          // A cluster of its own for each, because a new store takes longer than all its steps.
          const world = new World(history, `cluster-${++worlds}`);
          for (const each of steps) await world.take(each);
          await world.compare();
        },
      );
      await fc.assert(property, { numRuns: engine.name === "sqlite" ? 40 : 15 });
    });
  });
}

/** The history and its model, taking every step together. */
class World {
  readonly #history: History;
  readonly #cluster: string;
  readonly #model = new HistoryModel();

  constructor(history: History, cluster: string) {
    this.#history = history;
    this.#cluster = cluster;
  }

  async take(each: Step): Promise<void> {
    if (each.kind === "plan") await this.#plan(each);
    if (each.kind === "note") await this.#note(each);
    if (each.kind === "result") await this.#record(each.all);
    if (each.kind === "verdict") await this.#judge(each);
  }

  async #plan(each: Step & { kind: "plan" }): Promise<void> {
    const gate = { cluster: this.#cluster, fence: each.fence, inFlightMax: each.inFlightMax };
    const intents = each.places.map((at) => this.#intent(at));
    const answer = await this.#history.planRuns(gate, intents);
    const said = [
      ...answer.planned.map(({ id }) => `${id} planned`),
      ...answer.refused.map(({ intent, why }) => `${intent.id} ${why}`),
    ];
    const expected = this.#model.plan(gate, intents);
    expect(said.toSorted()).toEqual(
      intents.map(({ id }, at) => `${id} ${expected[at]}`).toSorted(),
    );
  }

  async #note(each: Step & { kind: "note" }): Promise<void> {
    const { id } = this.#intent(each.place);
    if ((await this.#history.findIntent(id)) === undefined) return;
    const { phase, atMs } = each;
    const note: RunNote =
      phase === "cancelling"
        ? { phase, atMs, reason: "too long", outcome: "timeout" }
        : { phase, atMs };
    await this.#history.noteRun(id, note);
    this.#model.note(id, note);
  }

  async #record(all: (Step & { kind: "result" })["all"]): Promise<void> {
    const results = all.map((each): readonly [RunResult, "pod" | "loop"] => {
      const intent = this.#intent(each.place);
      const { outcome: how, endedAtMs } = each;
      return [resultOf(intent, { outcome: how, endedAtMs }), each.origin];
    });
    const answers = await Promise.all(
      results.map(([result, by]) => this.#history.recordResult(result, from(by))),
    );
    expect(answers).toEqual(results.map(([result, by]) => this.#model.record(result, by)));
  }

  async #judge(each: Step & { kind: "verdict" }): Promise<void> {
    const intent = this.#intent(each.place);
    if ((await this.#history.findIntent(intent.id)) === undefined) return;
    const { verdict, about } = each;
    const whole: RunVerdict = verdictOf(intent, { verdict, ...(about && { about }) });
    await this.#history.recordVerdicts([whole]);
    this.#model.judge(whole);
  }

  async compare(): Promise<void> {
    const cluster = this.#cluster;
    const model = this.#model;
    expect(await this.#history.openRuns(cluster)).toEqual(model.openRuns());
    const records = await this.#history.runs({ cluster });
    expect(records.toSorted(byId)).toEqual(model.records().toSorted(byId));
    const plannedAt = records.map(({ intent }) => intent.plannedAtMs);
    expect(plannedAt).toEqual(plannedAt.toSorted((one, other) => other - one));
    const unjudged = await this.#history.unjudgedRuns(cluster, 100);
    expect(unjudged.map(({ intent }) => intent.id).toSorted()).toEqual(model.unjudged().toSorted());
    await this.#compareTimes();
    const hours = model.records().filter(({ intent }) => intent.plannedAtMs >= 2000).length * 0.5;
    expect(await this.#history.gpuHoursSince(cluster, 2000)).toBe(hours);
  }

  async #compareTimes(): Promise<void> {
    const latest = await this.#history.latestStatus(this.#cluster, checks, 9000);
    const ended = await this.#history.lastEndedAtMs(this.#cluster);
    for (const node of nodes) {
      expect(ended.get(node)).toBe(this.#model.lastMs(node, () => true));
      for (const check of checks) {
        const completed = this.#model.lastMs(
          node,
          ({ intent, result }) => intent.check === check && result?.outcome === "completed",
        );
        expect(latest.testedAtMs(node, check)).toBe(completed);
      }
    }
  }

  #intent(at: Place): RunIntent {
    return intentOf({ cluster: this.#cluster, ...at });
  }
}

function byId(one: { intent: RunIntent }, other: { intent: RunIntent }): number {
  return one.intent.id < other.intent.id ? -1 : 1;
}
