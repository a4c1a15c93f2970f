import { describe, expect, it } from "vitest";
import type { History, RunFilter } from "../../../src/validation/history/index.ts";
import { CheckStates, judgedRun, standingVerdict } from "../../../src/validation/judge/index.ts";
import { RunWindow } from "../../../src/validation/judge/run-window.ts";
import { selectComparable } from "../../../src/validation/judge/select-comparable.ts";
import type { RunRecord } from "../../../src/validation/run.ts";
import { fleet, hourMs, run, startMs } from "./records.ts";

describe("which runs are compared", () => {
  it("the newest of each node, and no more than allowed in all", () => {
    const many = Array.from({ length: 10 }, (_, at) =>
      run({ node: "n1", atMs: startMs + at * hourMs }),
    );
    const limits = { perNodeMax: 3, totalMax: 100 };
    expect(selectComparable([], many, limits)).toEqual(many.toReversed().slice(0, 3));
    const nodes = fleet(10);
    const few = selectComparable([], nodes, { perNodeMax: 3, totalMax: 4 });
    expect(few).toEqual(nodes.toReversed().slice(0, 4));
  });

  it("every new run and the past of its node come before all others", () => {
    const old = run({ node: "n9", atMs: startMs - 100 * hourMs });
    const next = run({ node: "n9", atMs: startMs - 99 * hourMs });
    const limits = { perNodeMax: 5, totalMax: 2 };
    expect(selectComparable([next], [...fleet(5), old], limits)).toEqual([next, old]);
    const both = selectComparable([next, old], fleet(5), { perNodeMax: 1, totalMax: 1 });
    expect(both).toEqual([next, old]);
  });

  it("not those that came to nothing", () => {
    const nothing = run({ node: "n1", result: { outcome: "error", figures: {} } });
    expect(selectComparable([], [nothing], { perNodeMax: 5, totalMax: 5 })).toEqual([]);
  });
});

describe("the window of runs in memory", () => {
  const filter = { cluster: "prod", check: "speed-test", plannedFromMs: 0 };

  function historyOf(runs: readonly RunRecord[]) {
    const asked: RunFilter[] = [];
    const history = {
      runs: async (wish: RunFilter) => {
        asked.push(wish);
        return runs
          .filter(({ intent }) => intent.plannedAtMs < (wish.plannedBeforeMs ?? Infinity))
          .filter(({ intent }) => wish.node === undefined || intent.node === wish.node)
          .toSorted((a, b) => b.intent.plannedAtMs - a.intent.plannedAtMs)
          .slice(0, wish.limit);
      },
    } as Pick<History, "runs"> as History;
    return { history, asked };
  }

  it("asks for a node's runs only when it may lack some", async () => {
    const runs = fleet(5, { verdict: {} });
    const { history, asked } = historyOf(runs);
    const whole = new RunWindow({ history, filter, sizeMax: 5 });
    await whole.load(
      () => {},
      () => false,
    );
    expect(await whole.runsOf("n0", 9)).toEqual([]);
    expect(asked).toHaveLength(1);
    const cut = new RunWindow({ history, filter, sizeMax: 4 });
    await cut.load(
      () => {},
      () => false,
    );
    expect(cut.runs().map(({ intent }) => intent.node)).toEqual(["n1", "n2", "n3", "n4"]);
    expect(await cut.runsOf("n0", 9)).toEqual([runs[0]]);
  });

  it("reads no further than it must", async () => {
    const one = run({ node: "n1", verdict: {} });
    const many = Array.from({ length: 12_000 }, (_, at) => {
      return { ...one, intent: { ...one.intent, id: `r${at}`, plannedAtMs: startMs + at } };
    });
    const { history, asked } = historyOf(many);
    let seen = 0;
    const window = new RunWindow({ history, filter, sizeMax: 10 });
    await window.load(
      () => void seen++,
      () => seen > 6000,
    );
    expect(asked).toHaveLength(2);
    expect(window.runs().at(-1)?.intent.id).toBe("r11999");
    expect(await window.runsOf("n1", 3)).toHaveLength(3);
  });

  it("lets the oldest go when new ones come", async () => {
    const window = new RunWindow({ ...historyOf([]), filter, sizeMax: 3 });
    await window.load(
      () => {},
      () => false,
    );
    const runs = fleet(5, { verdict: {} });
    for (const one of runs) window.add(one);
    expect(window.runs()).toEqual(runs.slice(2));
  });

  it("ends its reading even when more runs than a page were planned at one moment", async () => {
    const one = run({ node: "n1" });
    const same = Array.from({ length: 5001 }, (_, at) => {
      return { ...one, intent: { ...one.intent, id: `same-${at}` } };
    });
    const { history, asked } = historyOf(same);
    await new RunWindow({ history, filter, sizeMax: 10 }).load(
      () => {},
      () => false,
    );
    expect(asked.length).toBeLessThan(4);
  });
});

describe("where a node stands with a check", () => {
  function standing(
    ...verdicts: readonly ["completed" | "error" | "cancelled", "pass" | "fail" | "unknown"][]
  ) {
    const states = new CheckStates();
    for (const [at, [outcome, verdict]] of verdicts.entries()) {
      const wish = { node: "n1", atMs: startMs + at * hourMs, result: { outcome } };
      const judged = judgedRun(run({ ...wish, verdict: { verdict } }));
      if (judged !== undefined) states.add(judged);
    }
    return standingVerdict(states.get("n1", "speed-test")).verdict;
  }

  it("is unknown without a run, and after one that came to nothing", () => {
    expect(standing()).toBe("unknown");
    expect(standing(["completed", "pass"], ["error", "unknown"])).toBe("unknown");
  });

  it("is what it was after a cancelled run", () => {
    expect(standing(["completed", "pass"], ["cancelled", "unknown"])).toBe("pass");
  });

  it("is a failure until a run passes", () => {
    expect(standing(["completed", "fail"], ["error", "unknown"])).toBe("fail");
    expect(standing(["completed", "fail"], ["completed", "pass"])).toBe("pass");
    expect(standing(["completed", "pass"], ["error", "fail"])).toBe("fail");
  });

  it("keeps the newer judgement of a run, and at most twelve runs", () => {
    const states = new CheckStates();
    const record = run({ node: "n1", verdict: {} });
    for (const verdict of ["suspect", "warn"] as const) {
      const judged = judgedRun(record, {
        ...record.verdict,
        runId: "",
        atMs: 0,
        reason: "",
        findings: [],
        verdict,
      });
      if (judged !== undefined) states.add(judged);
    }
    expect(states.get("n1", "speed-test")?.recent).toMatchObject([{ verdict: "warn" }]);
    for (let at = 0; at < 30; at++) {
      const judged = judgedRun(run({ node: "n1", verdict: {} }));
      if (judged !== undefined) states.add(judged);
    }
    expect(states.get("n1", "speed-test")?.recent).toHaveLength(12);
  });
});
