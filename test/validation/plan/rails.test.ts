import { describe, expect, it } from "vitest";
import { createRng } from "../../../src/platform/rng/index.ts";
import {
  createPlanner,
  type PlanInput,
  type PostponedRun,
  type WantedRun,
} from "../../../src/validation/plan/index.ts";
import type { ValidationSettings } from "../../../src/validation/settings.ts";
import {
  because,
  checkOf,
  hourMs,
  inputOf,
  minuteMs,
  nodeOf,
  noonMs,
  openRunOf,
  settingsOf,
} from "./small-cluster.ts";

const one = [checkOf("dl")];
const oneCheck = { checks: ["dl"] };

function plan(settings: ValidationSettings, input: PlanInput) {
  const planner = createPlanner({ settings, rng: createRng("0") });
  const { chosen, postponed, postponedByRail } = planner.plan(input);
  return {
    names: chosen.map(({ node, check }) => `${node.name}/${check}`),
    chosen,
    postponed,
    postponedByRail,
    rails: postponed.map(({ node, rail }: PostponedRun) => `${node} ${rail}`),
  };
}

const wantedOf = (node: string, changes: Partial<WantedRun> = {}): WantedRun => ({
  node,
  check: "dl",
  purpose: "retest",
  reason: "busbw 40 below 42",
  notBeforeMs: 0,
  ...changes,
});

describe("the cooldown", () => {
  const settings = settingsOf({ checks: one, guard: { cooldownMs: 4 * hourMs } });
  const after = (ms: number, changes: Partial<PlanInput> = {}) =>
    plan(
      settings,
      inputOf([nodeOf("a"), nodeOf("b")], {
        ...oneCheck,
        lastEndedAtMs: new Map([["a", noonMs - ms]]),
        ...changes,
      }),
    );

  it("leaves a node alone after a run, and lets it in again when it is over", () => {
    const early = after(4 * hourMs - 1);
    expect(early.names).toEqual(["b/dl"]);
    expect(early.postponed).toEqual([
      {
        node: "a",
        check: "dl",
        rail: "cooldown",
        reason: "its last run ended 4 h ago; it is left alone for 4 h, 1 min more",
      },
    ]);
    expect(after(4 * hourMs).names).toEqual(["a/dl", "b/dl"]);
  });

  it("does not hold back a retest, but an acceptance", () => {
    expect(after(hourMs, { wanted: [wantedOf("a")] }).names).toEqual(["a/dl", "b/dl"]);
    const acceptance = wantedOf("a", { purpose: "acceptance" });
    expect(after(hourMs, { wanted: [acceptance] }).names).toEqual(["b/dl"]);
  });
});

describe("a wanted run", () => {
  const settings = settingsOf({ checks: one, guard: { inFlightMax: 1 } });

  it("goes before routine, with its own reason and purpose", () => {
    const { chosen, rails } = plan(
      settings,
      inputOf([nodeOf("a"), nodeOf("b")], { ...oneCheck, wanted: [wantedOf("b")] }),
    );
    expect(chosen).toMatchObject([
      { node: { name: "b" }, check: "dl", purpose: "retest", reason: "busbw 40 below 42" },
    ]);
    expect(rails).toEqual(["a limit"]);
  });

  it("waits for its time, and its node is kept for a retest meanwhile", () => {
    const at = (wanted: WantedRun) =>
      plan(settings, inputOf([nodeOf("a")], { ...oneCheck, wanted: [wanted] }));
    const soon = noonMs + 20 * minuteMs;
    expect(at(wantedOf("a", { notBeforeMs: soon }))).toMatchObject({
      names: [],
      rails: ["a not-before", "a node"],
      postponed: [
        { reason: "its retest waits 20 min more" },
        { reason: "it is kept for its retest with dl" },
      ],
    });
    expect(at(wantedOf("a", { notBeforeMs: noonMs })).chosen).toMatchObject([
      { purpose: "retest" },
    ]);
    const manual = wantedOf("a", { notBeforeMs: soon, purpose: "manual" });
    expect(at(manual).chosen).toMatchObject([{ purpose: "routine" }]);
  });

  it("leaves a suspect node alone for the wait of retests after its last run", () => {
    const waiting = settingsOf({ checks: one, guard: { retestAfterMs: hourMs } });
    const ended = (ms: number) =>
      plan(
        waiting,
        inputOf([nodeOf("a")], {
          ...oneCheck,
          wanted: [wantedOf("a")],
          lastEndedAtMs: new Map([["a", noonMs - ms]]),
        }),
      ).names;
    expect(ended(hourMs - 1)).toEqual([]);
    expect(ended(hourMs)).toEqual(["a/dl"]);
  });

  it("of a node or a check that is not there is postponed and says so", () => {
    const wanted = [wantedOf("z"), wantedOf("a", { check: "unheard-of" })];
    const { rails, names } = plan(settings, inputOf([nodeOf("a")], { ...oneCheck, wanted }));
    expect(rails.slice(0, 2)).toEqual(["z not-free", "a check"]);
    expect(names).toEqual(["a/dl"]);
  });
});

describe("a node that is not free", () => {
  it("is not chosen, wanted or not, and says why and how overdue it is", () => {
    const { names, postponed } = plan(
      settingsOf({ checks: one }),
      inputOf([nodeOf("a", { notFree: because("busy") }), nodeOf("b")], {
        ...oneCheck,
        agesDays: { "a/dl": 9 },
        wanted: [wantedOf("a")],
      }),
    );
    expect(names).toEqual(["b/dl"]);
    expect(postponed).toEqual([
      { node: "a", check: "dl", rail: "not-free", reason: "it is busy" },
      {
        node: "a",
        check: undefined,
        rail: "not-free",
        reason: "it is busy; last tested 9.0 d ago, over 7 d",
      },
    ]);
  });

  it("is not listed while its results are fresh", () => {
    const { postponed } = plan(
      settingsOf({ checks: one }),
      inputOf([nodeOf("a", { notFree: because("busy") })], {
        ...oneCheck,
        agesDays: { "a/dl": 2 },
      }),
    );
    expect(postponed).toEqual([]);
  });

  it("is tested though cordoned when it awaits acceptance, and not when others closed it", () => {
    const closed = { notFree: because("cordoned"), cordoned: true };
    const nodes = [
      nodeOf("ours", { ...closed, awaitsAcceptance: true }),
      nodeOf("theirs", closed),
      nodeOf("busy", {
        notFree: [...because("cordoned"), ...because("busy")],
        awaitsAcceptance: true,
      }),
    ];
    const wanted = nodes.map(({ name }) => wantedOf(name, { purpose: "acceptance" }));
    const { chosen } = plan(settingsOf({ checks: one }), inputOf(nodes, { ...oneCheck, wanted }));
    expect(chosen).toMatchObject([{ node: { name: "ours" }, purpose: "acceptance" }]);
  });

  it("has an open run: it gets no second one", () => {
    const a = nodeOf("a");
    const { names, postponed } = plan(
      settingsOf({ checks: one }),
      inputOf([a], { ...oneCheck, open: [openRunOf(a, "io")], wanted: [wantedOf("a")] }),
    );
    expect(names).toEqual([]);
    expect(postponed[0]).toMatchObject({ rail: "node", reason: "its run of io is still open" });
  });
});

describe("the limits", () => {
  const nodes = ["a", "b", "c", "d"].map((name, at) =>
    nodeOf(name, { rack: at < 2 ? "r1" : at === 2 ? "r2" : "" }),
  );

  it("on all runs counts those that are open", () => {
    const settings = settingsOf({ checks: one, guard: { inFlightMax: 2 } });
    const open = [openRunOf(nodeOf("z"), "dl")];
    const { names, postponed } = plan(settings, inputOf(nodes, { ...oneCheck, open }));
    expect(names).toEqual(["a/dl"]);
    expect(postponed[0]?.reason).toBe("2 runs in flight, and 2 may be at once");
  });

  it("per rack lets others pass, and nodes of no known rack are not counted together", () => {
    const settings = settingsOf({ checks: one, guard: { perRackMax: 1 } });
    const bare = nodeOf("e");
    const { names, postponed } = plan(settings, inputOf([...nodes, bare], oneCheck));
    expect(names).toEqual(["a/dl", "c/dl", "d/dl", "e/dl"]);
    expect(postponed).toMatchObject([
      { node: "b", rail: "rack", reason: "1 run in rack r1, and 1 may be at once" },
    ]);
  });

  it("per file system bind only checks that load one", () => {
    const checks = [checkOf("dl"), checkOf("io", { fileSystem: "/data" })];
    const settings = settingsOf({ checks, guard: { perFileSystemMax: 1 } });
    const agesDays = Object.fromEntries(nodes.map(({ name }) => [`${name}/dl`, 8]));
    const open = [openRunOf(nodeOf("z"), "io", { fileSystem: "/data" })];
    const { names, rails } = plan(settings, inputOf(nodes, { agesDays, open }));
    expect(names).toEqual(["a/dl", "b/dl", "c/dl", "d/dl"]);
    expect(rails).toEqual(["a", "b", "c", "d"].map((name) => `${name} file-system`));
  });

  it("of GPU-hours take the next that fits, to the last minute of the budget", () => {
    const checks = [checkOf("dl", { minutes: 60 }), checkOf("io", { minutes: 20 })];
    const settings = settingsOf({ checks, guard: { gpuHoursPerDay: 8 } });
    const agesDays = { "a/dl": 30 };
    const at = (gpuHoursToday: number) =>
      plan(settings, inputOf(nodes.slice(0, 1), { agesDays, gpuHoursToday })).names;
    expect(at(0)).toEqual(["a/io"]);
    expect(plan(settings, inputOf(nodes.slice(0, 1), { agesDays: { "a/io": 1 } })).names).toEqual([
      "a/dl",
    ]);
    expect(at(16 / 3)).toEqual(["a/io"]);
    expect(at(16 / 3 + 0.001)).toEqual([]);
  });
});

describe("quiet hours", () => {
  const at = (hour: number, fromHour: number, toHour: number) => {
    const quietHours = [{ fromMinute: fromHour * 60, toMinute: toHour * 60 }];
    const nowMs = noonMs - 12 * hourMs + hour * hourMs;
    return plan(
      settingsOf({ checks: one, guard: { quietHours } }),
      inputOf([nodeOf("a")], { ...oneCheck, nowMs, wanted: [wantedOf("a")] }),
    );
  };

  it("let nothing begin, wanted or not, and say until when", () => {
    const { names, postponed } = at(9, 8, 18);
    expect(names).toEqual([]);
    expect(postponed[0]).toMatchObject({
      rail: "quiet-hours",
      reason: "quiet hours from 08:00 to 18:00 UTC",
    });
  });

  it("begin with their first minute, end before their last, and may span midnight", () => {
    expect([7.99, 8, 17.99, 18].map((hour) => at(hour, 8, 18).names.length)).toEqual([1, 0, 0, 1]);
    expect([21.99, 22, 0, 5.99, 6].map((hour) => at(hour, 22, 6).names.length)).toEqual([
      1, 0, 0, 0, 1,
    ]);
    expect(at(3, 5, 5).names).toEqual([]);
  });
});

describe("what is postponed", () => {
  const free = Array.from({ length: 600 }, (_, at) => nodeOf(`n${at}`));
  const taken = Array.from({ length: 30 }, (_, at) =>
    nodeOf(`t${at}`, { notFree: because("busy") }),
  );
  const nodes = [...free, ...taken];

  for (const policy of ["stale", "random", "risk"] as const) {
    it(`is counted by rail as a whole by ${policy}, and the first 1,000 of each rail are listed`, () => {
      const settings = settingsOf({ policy, guard: { inFlightMax: 1 } });
      const { postponed, postponedByRail, chosen } = plan(settings, inputOf(nodes));
      const listed = (rail: string) => postponed.filter((one) => one.rail === rail).length;
      expect(chosen).toHaveLength(1);
      const pairs = free.length * settings.checks.length;
      const ofFree = [...postponedByRail].filter(([rail]) => rail !== "not-free");
      expect(ofFree.reduce((sum, [, count]) => sum + count, 0)).toBe(pairs - 1);
      expect(postponedByRail.get("limit")).toBeGreaterThan(1000);
      expect(listed("limit")).toBe(1000);
      expect([postponedByRail.get("not-free"), listed("not-free")]).toEqual([30, 30]);
      expect(postponedByRail.has("budget")).toBe(false);
    });
  }

  it("is nothing where every run is begun", () => {
    const settings = settingsOf({ checks: one });
    const { postponedByRail } = plan(settings, inputOf([nodeOf("a")], oneCheck));
    expect(postponedByRail).toEqual(new Map());
  });
});
