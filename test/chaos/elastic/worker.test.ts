import { describe, expect, it } from "vitest";
import { createWorker, type Worker, type WorkerOptions } from "../../../src/chaos/elastic/index.ts";

/** A worker, and all that it did and said, in short. */
function worker(options: Partial<WorkerOptions> = {}, rank = 0) {
  const log: string[] = [];
  const made: Worker = createWorker(
    { steps: 4, saveEverySteps: 2, asynchronousSaves: false, compareEverySteps: 0, ...options },
    {
      send: (message) => {
        const detail = "phase" in message ? ` ${message.phase}` : "";
        const step = "step" in message ? ` ${message.step}` : "";
        log.push(`say ${message.type}${detail}${step}`);
      },
      join: () => log.push("join"),
      restore: (tag) => log.push(`restore ${tag}`),
      step: () => log.push("step"),
      save: (tag) => log.push(`save ${tag}`),
      compare: () => log.push("compare"),
      cancel: () => log.push("cancel"),
      exit: (code) => log.push(`exit ${code}`),
    },
  );
  const shape = { dp: 1, tp: 1, pp: 1 };
  const members = [{ slot: 0, incarnation: 1 }];
  /** What it did since the last time. */
  const did = () => log.splice(0);
  const step = () => {
    const at = made.step + 1;
    made.stepped({ step: at, units: 1, samples: [at - 1, at], loss: 1 }, () => `state-${at}`);
    return did();
  };
  const train = (from = 0) => {
    made.start();
    made.message({ type: "assign", assignment: { generation: 1, rank, shape, members } });
    made.joined();
    made.message({ type: "restore", generation: 1, tag: null });
    made.restored(from, () => `state-${from}`);
    return did();
  };
  return { made, did, step, train };
}

describe("a worker", () => {
  it("meets, loads, trains, saves by the rule and says that it is done", () => {
    const { made, did, step, train } = worker();
    expect(train()).toEqual([
      "say hello",
      "cancel",
      "join",
      "say joined",
      "cancel",
      "restore null",
      "say restored 0",
      "step",
    ]);
    expect(step()).toEqual(["say stepped", "step"]);
    expect(step()).toEqual(["say stepped", "say save begun 2", "save step-000002"]);
    expect(made.phase).toBe("saving");
    made.saved("step-000002", 2);
    expect(did()).toEqual(["say save committed 2", "step"]);
    step();
    step();
    made.saved("step-000004", 4);
    expect(did().at(-1)).toBe("say finished");
    expect(made.phase).toBe("done");
  });

  it("says nothing of a save as another rank than 0, unless it failed", () => {
    const { made, did, step, train } = worker({}, 1);
    train();
    step();
    expect(step()).toEqual(["say stepped", "save step-000002"]);
    made.saved("step-000002", 2);
    expect(did()).toEqual(["step"]);
    step();
    step();
    made.saveFailed("step-000004", 4, "no space");
    expect(did()).toEqual(["say save failed 4", "say finished"]);
  });

  it("trains beside a save when it may, waits for it before the next, and before the end", () => {
    const { made, did, step, train } = worker({ asynchronousSaves: true });
    train();
    step();
    expect(step()).toEqual(["say stepped", "say save begun 2", "save step-000002", "step"]);
    step();
    expect(step()).toEqual(["say stepped"]);
    expect(made.phase).toBe("saving");
    made.saved("step-000002", 2);
    expect(did()).toEqual(["say save committed 2", "say save begun 4", "save step-000004"]);
    made.saved("step-000004", 4);
    expect(did()).toEqual(["say save committed 4", "say finished"]);
  });

  it("compares by the rule and before each save, and no more", () => {
    const { made, did, step, train } = worker({
      steps: 6,
      saveEverySteps: 4,
      compareEverySteps: 3,
    });
    train();
    expect(step().at(-1)).toBe("step");
    expect(step().at(-1)).toBe("step");
    expect(step().at(-1)).toBe("compare");
    made.compared();
    expect(did()).toEqual(["step"]);
    expect(step().at(-1)).toBe("compare");
    made.compared();
    expect(did()).toEqual(["say save begun 4", "save step-000004"]);
  });

  it("is done at once when it loads the last step", () => {
    expect(worker().train(4).slice(-2)).toEqual(["say restored 4", "say finished"]);
  });

  it("loads an older checkpoint when it is told to, even if it trains", () => {
    const { made, did, train } = worker();
    train(2);
    made.message({ type: "restore", generation: 1, tag: "step-000000" });
    expect(did()).toEqual(["cancel", "restore step-000000"]);
    made.restored(0, () => "state-0");
    expect(made.step).toBe(0);
  });

  it("stops when it is told to, and not for another generation", () => {
    const { made, did, train } = worker();
    train();
    made.message({ type: "abort", generation: 2, reason: "" });
    expect(did()).toEqual([]);
    made.message({ type: "abort", generation: 1, reason: "" });
    expect(did()).toEqual(["cancel", "say drained"]);
    made.message({ type: "restore", generation: 1, tag: null });
    expect(did()).toEqual([]);
    made.message({ type: "stop", reason: "" });
    expect(did()).toEqual(["cancel", "exit 0"]);
  });

  it("in trouble says so and waits", () => {
    const { made, did, train } = worker();
    train();
    made.troubled("collective", [1], "waited for too long");
    expect(did()).toEqual(["say trouble"]);
    made.message({ type: "preempt", graceUs: 1 });
    expect(did()).toEqual([]);
    expect(made.phase).toBe("waiting");
  });

  it("holds before a step that others have not begun, goes as far as all, saves and waits", () => {
    const { made, did, step, train } = worker({ saveEverySteps: 0, steps: 9 });
    train();
    made.message({ type: "preempt", graceUs: 1 });
    expect(did()).toEqual(["say holding 1"]);
    expect(step()).toEqual(["say stepped"]);
    expect(made.phase).toBe("waiting");
    made.message({ type: "go-to", generation: 1, step: 2, save: true });
    expect(did()).toEqual(["step"]);
    expect(step()).toEqual(["say stepped", "say save begun 2", "save step-000002"]);
    made.saved("step-000002", 2);
    expect(did()).toEqual(["say save committed 2"]);
    expect(made.phase).toBe("waiting");
  });

  it("goes nowhere that it was not asked to hold for", () => {
    const { made, did, train } = worker();
    train();
    made.message({ type: "go-to", generation: 1, step: 1, save: true });
    made.message({ type: "preempt", graceUs: 1 });
    made.message({ type: "go-to", generation: 2, step: 4, save: true });
    expect(did()).toEqual(["say holding 1"]);
  });

  it("refuses to be told that something ended which it did not begin", () => {
    const { made, train } = worker();
    expect(() => made.joined()).toThrow("without an order");
    train();
    expect(() => made.saved("step-000002", 2)).toThrow("nobody began");
    expect(() => made.compared()).toThrow("without having begun");
  });
});
