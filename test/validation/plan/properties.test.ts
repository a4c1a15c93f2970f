import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createRng } from "../../../src/platform/rng/index.ts";
import type { NodeEvent } from "../../../src/validation/history/history.ts";
import {
  createPlanner,
  type Plan,
  type PlanInput,
  type WantedRun,
} from "../../../src/validation/plan/index.ts";
import { buildPriorityQueue, policyNames } from "../../../src/validation/prioritize/index.ts";
import { runPurposes } from "../../../src/validation/run.ts";
import type { ValidationSettings } from "../../../src/validation/settings.ts";
import {
  because,
  checkOf,
  dayMs,
  hourMs,
  inputOf,
  minuteMs,
  nodeOf,
  noonMs,
  openRunOf,
  settingsOf,
} from "./small-cluster.ts";

const checkNames = ["dl", "nccl", "io"] as const;
const names = Array.from({ length: 9 }, (_, at) => `n${at}`);

const checksArb = fc
  .tuple(
    ...checkNames.map(() =>
      fc.record({ minutes: fc.integer({ min: 1, max: 90 }), loads: fc.boolean() }),
    ),
  )
  .map((list) =>
    checkNames.map((name, at) =>
      checkOf(name, {
        minutes: list[at]?.minutes ?? 1,
        fileSystem: list[at]?.loads === true ? "/data" : "",
      }),
    ),
  );

const settingsArb = fc
  .record({
    policy: fc.constantFrom(...policyNames),
    staleAfterDays: fc.integer({ min: 0, max: 20 }),
    checks: checksArb,
    guard: fc.record({
      inFlightMax: fc.integer({ min: 1, max: 6 }),
      perRackMax: fc.integer({ min: 1, max: 3 }),
      perFileSystemMax: fc.integer({ min: 1, max: 3 }),
      cooldownMs: fc.integer({ min: 0, max: 8 }).map((hours) => hours * hourMs),
      retestAfterMs: fc.integer({ min: 0, max: 4 }).map((hours) => hours * hourMs),
      gpuHoursPerDay: fc.constantFrom(0, 3, 10, 40, Number.POSITIVE_INFINITY),
      quietHours: fc.array(
        fc.record({
          fromMinute: fc.integer({ min: 0, max: 1439 }),
          toMinute: fc.integer({ min: 0, max: 1439 }),
        }),
        { maxLength: 1 },
      ),
    }),
  })
  .map((changes) => settingsOf(changes));

const nodesArb = fc
  .tuple(
    ...names.map(() =>
      fc.record({
        rack: fc.constantFrom("", "r1", "r2"),
        gpus: fc.constantFrom(0, 4, 8),
        sku: fc.constantFrom("h100", "h200"),
        notFree: fc.constantFrom([], [], [], because("busy"), because("cordoned")),
        awaitsAcceptance: fc.boolean(),
      }),
    ),
  )
  .map((list) => list.map((facts, at) => nodeOf(names[at] ?? "", facts)));

const wantedArb: fc.Arbitrary<readonly WantedRun[]> = fc.array(
  fc.record({
    node: fc.constantFrom(...names, "gone"),
    check: fc.constantFrom(...checkNames, "other"),
    purpose: fc.constantFrom("retest" as const, "acceptance" as const, "manual" as const),
    reason: fc.constant("because"),
    notBeforeMs: fc.integer({ min: -3, max: 3 }).map((hours) => noonMs + hours * hourMs),
  }),
  { maxLength: 6 },
);

const inputArb = fc
  .record({
    nodes: nodesArb,
    nowMs: fc.integer({ min: 0, max: 1439 }).map((minute) => noonMs + minute * minuteMs),
    ages: fc.array(fc.option(fc.integer({ min: 0, max: 40 }), { nil: undefined }), {
      maxLength: 27,
    }),
    openOn: fc.uniqueArray(fc.integer({ min: 0, max: 8 }), { maxLength: 4 }),
    ended: fc.array(fc.integer({ min: 0, max: 10 }), { maxLength: 9 }),
    gpuHoursToday: fc.integer({ min: 0, max: 12 }),
    wanted: wantedArb,
  })
  .map(({ nodes, nowMs, ages, openOn, ended, ...others }): PlanInput => {
    const agesDays = Object.fromEntries(
      ages.flatMap((age, at) =>
        age === undefined ? [] : [[`n${Math.floor(at / 3)}/${checkNames[at % 3]}`, age]],
      ),
    );
    const open = openOn.flatMap((at) => {
      const node = nodes[at];
      return node === undefined ? [] : [openRunOf(node, "io", { fileSystem: "/data" })];
    });
    const lastEndedAtMs = new Map(ended.map((hours, at) => [`n${at}`, nowMs - hours * hourMs]));
    return inputOf(nodes, { ...others, nowMs, agesDays, open, lastEndedAtMs, checks: checkNames });
  });

const eventsArb: fc.Arbitrary<readonly NodeEvent[]> = fc
  .array(
    fc.record({
      cluster: fc.constant("c"),
      node: fc.constantFrom(...names, "gone"),
      atMs: fc
        .integer({ min: 0, max: 4000 })
        .map((minutes) => noonMs - 4 * dayMs + minutes * minuteMs),
      kind: fc.constantFrom(
        "free" as const,
        "busy" as const,
        "crash" as const,
        "kernel" as const,
        "repair" as const,
        "released" as const,
        "override" as const,
      ),
      details: fc.constantFrom({}, { job: "j1" }, { xid: 79 }, { job: 5, xid: "x" }),
    }),
    { maxLength: 30 },
  )
  .map((events) => events.toSorted((a, b) => a.atMs - b.atMs));

function planOf(
  settings: ValidationSettings,
  input: PlanInput,
  events: readonly NodeEvent[] = [],
): Plan {
  return createPlanner({ settings, rng: createRng("1"), events }).plan(input);
}

const count = <T>(items: readonly T[], key: (item: T) => string) => {
  const counts = new Map<string, number>();
  for (const item of items) counts.set(key(item), (counts.get(key(item)) ?? 0) + 1);
  return counts;
};

function isQuiet({ guard }: ValidationSettings, nowMs: number): boolean {
  const minute = Math.floor(nowMs / minuteMs) % 1440;
  return guard.quietHours.some(({ fromMinute: from, toMinute: to }) =>
    from < to ? from <= minute && minute < to : minute >= from || minute < to,
  );
}

describe("a plan, whatever the cluster, the history and the settings", () => {
  it("never goes over any limit", () => {
    fc.assert(
      fc.property(settingsArb, inputArb, eventsArb, (settings, input, events) => {
        const { chosen } = planOf(settings, input, events);
        const { guard } = settings;
        const all = [
          ...input.open.map(({ intent }) => intent),
          ...chosen.map((run) => ({ ...run, node: run.node.name, rack: run.node.rack })),
        ];
        if (chosen.length > 0) expect(all.length).toBeLessThanOrEqual(guard.inFlightMax);
        const racks = count(all, ({ rack }) => rack);
        const fileSystems = count(all, ({ fileSystem }) => fileSystem);
        for (const { node, fileSystem } of chosen) {
          if (node.rack !== "") expect(racks.get(node.rack)).toBeLessThanOrEqual(guard.perRackMax);
          if (fileSystem !== "")
            expect(fileSystems.get(fileSystem)).toBeLessThanOrEqual(guard.perFileSystemMax);
        }
        const spent = chosen.reduce((sum, { gpuHours }) => sum + gpuHours, 0);
        if (spent > 0)
          expect(input.gpuHoursToday + spent).toBeLessThanOrEqual(guard.gpuHoursPerDay + 1e-6);
        expect([...count(all, ({ node }) => node).values()].every((times) => times === 1)).toBe(
          true,
        );
      }),
      { numRuns: 300 },
    );
  });

  it("chooses only nodes that are free and not cooling down, and nothing in quiet hours", () => {
    fc.assert(
      fc.property(settingsArb, inputArb, (settings, input) => {
        const { chosen } = planOf(settings, input);
        for (const { node, purpose } of chosen) {
          const reasons = node.notFree.filter(
            ({ code }) => code !== "cordoned" || !node.awaitsAcceptance,
          );
          expect(reasons).toEqual([]);
          const ended = input.lastEndedAtMs.get(node.name) ?? Number.NEGATIVE_INFINITY;
          const wait =
            purpose === "retest" ? settings.guard.retestAfterMs : settings.guard.cooldownMs;
          expect(input.nowMs - ended).toBeGreaterThanOrEqual(wait);
        }
        if (isQuiet(settings, input.nowMs)) expect(chosen).toEqual([]);
      }),
      { numRuns: 300 },
    );
  });

  it("begins with wanted runs, which are due, and postpones the others with a reason", () => {
    fc.assert(
      fc.property(settingsArb, inputArb, (settings, input) => {
        const { chosen, postponed } = planOf(settings, input);
        const purposes = chosen.map(({ purpose }) => purpose);
        const firstRoutine = purposes.indexOf("routine");
        if (firstRoutine !== -1) {
          expect(purposes.slice(firstRoutine).every((one) => one === "routine")).toBe(true);
        }
        for (const run of chosen.filter(({ purpose }) => purpose !== "routine")) {
          const isWanted = input.wanted.some(
            ({ node, check, purpose, notBeforeMs }) =>
              node === run.node.name &&
              check === run.check &&
              purpose === run.purpose &&
              notBeforeMs <= input.nowMs,
          );
          expect(isWanted).toBe(true);
        }
        const listed = [
          ...chosen.map(({ node, check }) => ({ node: node.name, check })),
          ...postponed,
        ];
        for (const { node, check } of input.wanted) {
          expect(listed.some((run) => run.node === node && run.check === check)).toBe(true);
        }
        expect(postponed.every(({ reason }) => reason.length > 3)).toBe(true);
        expect(chosen.every(({ reason }) => reason.length > 3)).toBe(true);
        expect(runPurposes).toEqual(expect.arrayContaining(purposes));
      }),
      { numRuns: 300 },
    );
  });

  it("is the same for the same history, told before or after it was made", () => {
    fc.assert(
      fc.property(settingsArb, inputArb, eventsArb, (settings, input, events) => {
        const whole = planOf(settings, input, events);
        expect(planOf(settings, input, events)).toEqual(whole);
        const fresh = createPlanner({ settings, rng: createRng("1") });
        fresh.observe(events);
        expect(fresh.plan(input)).toEqual(whole);
      }),
      { numRuns: 100 },
    );
  });

  it("by stale is the seed's queue, one entry for each node, when no rail binds", () => {
    fc.assert(
      fc.property(inputArb, fc.integer({ min: 0, max: 20 }), (input, staleAfterDays) => {
        const settings = settingsOf({
          staleAfterDays,
          checks: checkNames.map((name) => checkOf(name)),
        });
        const unbound = { ...input, open: [], wanted: [] };
        const free = input.nodes
          .filter(({ notFree, awaitsAcceptance }) =>
            notFree.every(({ code }) => awaitsAcceptance && code === "cordoned"),
          )
          .map(({ name }) => name);
        const seen = new Set<string>();
        const queue = buildPriorityQueue(free, input.latest, staleAfterDays).filter(
          ({ node }) => seen.size < seen.add(node).size,
        );
        expect(
          planOf(settings, unbound).chosen.map(({ node, check, reason }) => [
            node.name,
            check,
            reason,
          ]),
        ).toEqual(queue.map(({ node, check, reason }) => [node, check, reason]));
      }),
      { numRuns: 200 },
    );
  });
});
