import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { auditLog, openStore } from "../../../src/platform/store/index.ts";
import { VirtualClock } from "../../../src/platform/time/virtual-clock.ts";
import { type ActionOutcome, createNodeCare } from "../../../src/validation/act/index.ts";
import type { Cluster, ClusterView } from "../../../src/validation/clusters/cluster.ts";
import { openHistory } from "../../../src/validation/history/index.ts";
import type { RunRecord } from "../../../src/validation/run.ts";
import type { ActSettings, ValidationSettings } from "../../../src/validation/settings.ts";
import { tempDir } from "../../support/temp-dir.ts";
import { fleet, hourMs, type RunWish, run, startMs } from "../judge/records.ts";

function settingsWith(act: Partial<ActSettings>): ValidationSettings {
  return {
    policy: "stale",
    staleAfterDays: 7,
    checks: [
      {
        name: "speed-test",
        minutes: 5,
        sensitivity: {},
        falseAlarm: 0,
        fileSystem: "",
        options: {},
      },
    ],
    guard: {
      inFlightMax: 4,
      perRackMax: 4,
      perFileSystemMax: 4,
      cooldownMs: 4 * hourMs,
      retestAfterMs: 600_000,
      gpuHoursPerDay: Number.POSITIVE_INFINITY,
      quietHours: [],
    },
    pendingTimeoutMs: hourMs,
    runTimeoutMs: hourMs,
    resultGraceMs: hourMs,
    compareDays: 30,
    act: { mode: "on", label: true, cordon: true, cordonedShareMax: 0.2, ...act },
  };
}

/** A cluster of twelve nodes whose doors can be closed. */
function newCluster(clock: VirtualClock) {
  const closed = new Set<string>();
  const labels = new Map<string, string | null | undefined>();
  const nodeOf = (name: string) => {
    const doors = { cordoned: closed.has(name), awaitsAcceptance: closed.has(name) };
    return { name, sku: "gpu-x", rack: "", gpus: 8, notFree: [], ...doors };
  };
  const cluster: Cluster = {
    name: "prod",
    kind: "simulated",
    provenance: "simulated",
    clock,
    checks: { available: ["speed-test"], unavailable: {} },
    start: () => {},
    view: (): ClusterView => ({
      atMs: clock.nowMs(),
      trust: { state: "current" },
      jobs: [],
      nodes: Array.from({ length: 12 }, (_, at) => nodeOf(`n${at}`)),
    }),
    subscribe: () => () => {},
    takeSigns: () => [],
    submit: async () => {},
    cancel: async () => {},
    controls: {
      mark: async (node, { labels: own }) => void labels.set(node, own?.["tessera.dev/health"]),
      cordon: async (node) => closed.add(node).has(node),
      uncordon: async (node) => closed.delete(node),
      traces: async () => [],
      clear: async () => undefined,
    },
    stop: async () => {},
  };
  return { cluster, closed, labels };
}

/** Care for such a cluster, over a real store. */
async function newCare(act: Partial<ActSettings> = {}) {
  const clock = new VirtualClock({ epochMs: startMs + 30 * hourMs });
  const store = await openStore({ url: `sqlite:${join(await tempDir(), "t.db")}`, clock });
  onTestFinished(() => store.close());
  const history = openHistory(store);
  const { cluster, closed, labels } = newCluster(clock);
  const outcomes: ActionOutcome[] = [];
  const settings = settingsWith(act);
  const onOutcome = (outcome: ActionOutcome) => void outcomes.push(outcome);
  const newOne = () => createNodeCare({ cluster, history, store, settings, clock, onOutcome });
  let care = newOne();
  const tick = async (change: Partial<ClusterView> = {}) => {
    const nowMs = clock.nowMs();
    const newRuns = await history.unjudgedRuns("prod", 100);
    const { verdicts, wanted } = await care.judge({ newRuns, nowMs });
    await history.recordVerdicts(verdicts);
    await care.act({ view: { ...cluster.view(), ...change }, nowMs });
    return wanted;
  };
  const add = (runs: readonly RunRecord[]) =>
    history.recordRuns(
      runs.flatMap(({ intent, result, verdict }) => {
        if (result === undefined) return [];
        const { origin, ...rest } = result;
        return [{ intent, result: rest, origin, ...(verdict === undefined ? {} : { verdict }) }];
      }),
    );
  const ends = async (wish: Omit<RunWish, "atMs">) => {
    await clock.advance(hourMs);
    await add([run({ ...wish, atMs: clock.nowMs() })]);
  };
  await add(fleet(12, { verdict: {} }));
  const restart = () => {
    care = newOne();
  };
  const view = () => cluster.view();
  const about = { clock, store, history, closed, labels, outcomes };
  return { ...about, tick, ends, restart, view, care: () => care };
}

describe("caring for nodes", () => {
  it("a slow node is retested, closed, repaired, accepted and opened, across restarts", async () => {
    const world = await newCare();
    await world.ends({ node: "n3", level: 85 });
    expect(await world.tick()).toMatchObject([{ node: "n3", purpose: "retest" }]);
    expect(world.labels.get("n3")).toBe("suspect");
    expect(world.closed.size).toBe(0);

    await world.ends({ node: "n3", level: 85 });
    world.restart();
    await world.tick();
    expect([...world.closed]).toEqual(["n3"]);
    expect(world.labels.get("n3")).toBe("fail");
    expect(await world.tick()).toMatchObject([{ node: "n3", purpose: "acceptance" }]);

    await world.clock.advance(hourMs);
    const atMs = world.clock.nowMs();
    const repair = { cluster: "prod", node: "n3", atMs, kind: "repair", details: {} } as const;
    await world.history.recordNodeEvents([repair]);
    world.restart();
    expect(await world.tick()).toMatchObject([{ purpose: "acceptance", notBeforeMs: atMs }]);
    expect([...world.closed]).toEqual(["n3"]);
    await world.ends({ node: "n3", purpose: "acceptance" });
    await world.tick();
    expect(world.closed.size).toBe(0);
    expect(world.labels.get("n3")).toBe("pass");
    expect(await world.tick()).toEqual([]);

    const audit = await auditLog.list(world.store.db);
    expect(audit.map(({ action, details }) => [action, details["phase"]])).toEqual([
      ["node.release", "done"],
      ["node.release", "begin"],
      ["node.cordon", "done"],
      ["node.cordon", "begin"],
    ]);
    const events = await world.history.nodeEvents({ cluster: "prod", node: "n3" });
    expect(events.map(({ kind }) => kind)).toEqual(["cordoned", "repair", "released"]);
  });

  it("a dry run says once what it would do, and changes nothing", async () => {
    const world = await newCare({ mode: "dry-run", label: false });
    await world.ends({ node: "n3", result: { hardFacts: ["GPU 2 gave wrong results"] } });
    await world.tick();
    await world.tick();
    expect(world.outcomes).toMatchObject([
      { result: "planned", action: { kind: "cordon", node: "n3" } },
    ]);
    expect(world.closed.size).toBe(0);
    expect(await auditLog.list(world.store.db)).toEqual([]);
    expect(await world.history.nodeEvents({ cluster: "prod" })).toEqual([]);
  });

  it("does nothing on a view that is not current", async () => {
    const world = await newCare();
    await world.ends({ node: "n3", result: { hardFacts: ["GPU 2 gave wrong results"] } });
    await world.tick({ trust: { state: "stale", reason: "the watch broke" } });
    expect(world.closed.size).toBe(0);
    expect(world.care().last()).toBeUndefined();
    await world.tick();
    expect([...world.closed]).toEqual(["n3"]);
    expect(world.care().last()?.decision.health).toHaveLength(12);
  });

  it("does nothing before it knows where the nodes stand", async () => {
    const world = await newCare();
    await world.tick();
    expect(world.labels.get("n3")).toBe("pass");
    world.care().forget();
    await world.care().act({ view: world.view(), nowMs: world.clock.nowMs() });
    expect(world.labels.get("n3")).toBe("pass");
  });

  it("keeps the baselines fresh once a day", async () => {
    const world = await newCare({ mode: "off" });
    await world.tick();
    expect(await world.history.baselines({})).toEqual([]);
    await world.clock.advance(48 * hourMs);
    await world.tick();
    expect(await world.history.baselines({})).toMatchObject([
      { state: "active", actor: "tessera" },
    ]);
  });

  it("asks for no run of a node that a person holds", async () => {
    const world = await newCare();
    await world.ends({ node: "n3", level: 85 });
    const details = { action: "hold", reason: "smells of smoke", actor: "ann" };
    const atMs = world.clock.nowMs() + 1;
    await world.history.recordNodeEvents([
      { cluster: "prod", node: "n3", atMs, kind: "override", details },
    ]);
    await world.clock.advance(hourMs);
    expect(await world.tick()).toEqual([]);
    expect([...world.closed]).toEqual(["n3"]);
  });
});
