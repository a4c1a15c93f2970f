import { VirtualClock } from "../../../../src/platform/time/index.ts";
import type { Cluster, JobRequest } from "../../../../src/validation/clusters/cluster.ts";
import type { History } from "../../../../src/validation/history/history.ts";
import {
  createLoop,
  type Judge,
  type Loop,
  type LoopEvent,
  type LoopOptions,
  type LoopSummary,
} from "../../../../src/validation/loop/index.ts";
import type { Planner } from "../../../../src/validation/plan/planner.ts";
import type { ValidationSettings } from "../../../../src/validation/settings.ts";
import { JumpClock } from "./jump-clock.ts";
import { Life } from "./life.ts";
import { MemoryHistory } from "./memory-history.ts";
import { createMemoryLeadership, freeLock } from "./memory-leadership.ts";
import type { Happening, Schedule } from "./schedule.ts";
import { World } from "./world.ts";
import { type CallFault, createWorldCluster } from "./world-cluster.ts";

export const timing = {
  pendingTimeoutMs: 4_000,
  runTimeoutMs: 6_000,
  resultGraceMs: 2_000,
  /** Shorter than the grace: that is what the grace is for. */
  lateMs: 1_200,
  lagMs: 50,
  /** How long new runs are planned. */
  planForMs: 6_000,
  downMs: 300,
  limitMs: 600_000,
};

const historyMethods: readonly (keyof History)[] = [
  "planRuns",
  "openRuns",
  "noteRun",
  "findIntent",
  "recordResult",
  "recordVerdicts",
  "unjudgedRuns",
  "runs",
  "latestStatus",
  "lastEndedAtMs",
  "gpuHoursSince",
  "recordNodeEvents",
  "nodeEvents",
];

/** A loop in a process of its own. */
export interface RunningLoop {
  readonly loop: Loop;
  readonly done: Promise<LoopSummary>;
  /** The first press of Ctrl-C, and the second. */
  readonly stop: AbortController;
  readonly cancel: AbortController;
}

/** A world, a history and the loops that come and go in it. */
export class Simulation {
  readonly clock = new VirtualClock({ epochMs: 1_700_000_000_000 });
  readonly calendar = new JumpClock(this.clock);
  readonly world: World;
  readonly history = new MemoryHistory();
  readonly lock = freeLock();
  readonly events: LoopEvent[] = [];
  /** Submissions that should never have been asked for. */
  readonly wrongs: string[] = [];
  readonly schedule: Schedule;
  #cutUntilMs = 0;
  #callFaults: CallFault[];
  #storeFaults: CallFault[];
  #loops = 0;

  constructor(schedule: Schedule) {
    this.schedule = schedule;
    this.world = new World({ ...schedule, clock: this.calendar });
    this.#callFaults = [...schedule.callFaults];
    this.#storeFaults = [...schedule.storeFaults];
    for (const happening of schedule.happenings) {
      this.clock.setTimer(happening.atMs, () => this.#happen(happening));
    }
  }

  /** Starts a loop in a process of its own. */
  startLoop(life: Life, options: Partial<LoopOptions> = {}): RunningLoop {
    const { loop } = this.#assemble(life, options);
    const stop = new AbortController();
    const cancel = new AbortController();
    return { loop, done: loop.run(stop.signal, { cancel: cancel.signal }), stop, cancel };
  }

  #assemble(life: Life, options: Partial<LoopOptions>): { readonly loop: Loop } {
    const holder = `loop-${++this.#loops}`;
    const { clock, calendar } = this;
    const isAlive = () => life.isAlive;
    const history = life.bind(this.#faulty(this.history), historyMethods);
    const loop = createLoop({
      cluster: this.#cluster(life),
      history,
      settings: this.settings(),
      leadership: createMemoryLeadership({ row: this.lock, holder, clock, isAlive }),
      planner: async () => this.#planner(),
      jobs: { token: (runId) => `token of ${runId}` },
      collect: (runs) =>
        life.call(async () => runs.flatMap(({ intent }) => this.world.files.get(intent.id) ?? [])),
      judge: judgeByOutcome(),
      clock,
      onEvent: (event) => void this.events.push(event),
      tickEveryMs: 500,
      tickGapMs: 10,
      planGapMs: 100,
      pace: { retryMs: 100, retryMsMax: 400, cancelEveryMs: 500 },
      ...options,
    });
    this.world.receiver = async (result) => {
      if (!life.isAlive) return false;
      const atMs = calendar.nowMs();
      const from = { origin: "pod", atMs, way: "post", digest: "0".repeat(64) } as const;
      await this.history.recordResult(result, from);
      loop.wake();
      return true;
    };
    return { loop };
  }

  /** Makes a single pass in a process that lives. */
  runOnce(options: Partial<LoopOptions> = {}): Promise<LoopSummary> {
    const { loop } = this.#assemble(new Life(undefined, () => {}), options);
    return loop.run(new AbortController().signal, { once: true });
  }

  /** Runs one loop after the other, each until its death, the last until all runs have ended. */
  async runAll(): Promise<void> {
    const deaths = [...this.schedule.deaths];
    let last: { readonly running: RunningLoop; readonly life: Life } | undefined;
    const start = () => {
      const death = deaths.shift();
      const life = new Life(death, () => void this.clock.setTimer(timing.downMs, start));
      last = { running: this.startLoop(life), life };
    };
    start();
    await this.advanceUntil(() => this.isQuiet() && last?.life.isAlive === true);
    last?.life.spare();
    last?.running.stop.abort();
    await this.clock.advance(5_000);
    await last?.running.done;
  }

  /** Everything has come to its end, for long enough that nothing more will come. */
  isQuiet(): boolean {
    const lastMs = Math.max(0, ...this.schedule.happenings.map(({ atMs }) => atMs));
    if (this.clock.monotonicMs() < Math.max(timing.planForMs, lastMs) + 4_000) return false;
    const isOpen = this.history.records("world").some(({ verdict }) => verdict === undefined);
    return (
      !isOpen &&
      this.world.jobViews().every(({ phase }) => phase !== "pending" && phase !== "running")
    );
  }

  async advanceUntil(condition: () => boolean): Promise<void> {
    while (!condition() && this.clock.monotonicMs() < timing.limitMs) await this.clock.advance(500);
  }

  settings(): ValidationSettings {
    return {
      policy: "stale",
      staleAfterDays: 7,
      checks: [
        { name: "probe", minutes: 1, sensitivity: {}, falseAlarm: 0, fileSystem: "", options: {} },
      ],
      guard: {
        inFlightMax: this.schedule.inFlightMax,
        perRackMax: 100,
        perFileSystemMax: 100,
        cooldownMs: 0,
        retestAfterMs: 0,
        gpuHoursPerDay: Infinity,
        quietHours: [],
      },
      pendingTimeoutMs: timing.pendingTimeoutMs,
      runTimeoutMs: timing.runTimeoutMs,
      resultGraceMs: timing.resultGraceMs,
      compareDays: 30,
      act: { mode: "off", label: false, cordon: false, cordonedShareMax: 0.1 },
    };
  }

  #cluster(life: Life): Cluster {
    const cluster = createWorldCluster({
      world: this.world,
      clock: this.calendar,
      lagMs: timing.lagMs,
      lateMs: timing.lateMs,
      nextFault: () => this.#callFaults.shift() ?? "none",
      isCut: () => this.clock.monotonicMs() < this.#cutUntilMs,
    });
    const watched = {
      ...cluster,
      submit: (request: JobRequest) => {
        if (life.isAlive) this.#inspect(request.intent.id);
        return cluster.submit(request);
      },
    };
    return life.bind(watched, ["submit", "cancel"]);
  }

  /** Nobody submits what is on record as submitted, being cancelled, or over. */
  #inspect(runId: string): void {
    const open = this.history.runsById.get(runId);
    if (open === undefined) this.wrongs.push(`${runId} was submitted without an intent`);
    else if (open.results.size > 0) this.wrongs.push(`${runId} was submitted though it had ended`);
    else if (open.notes.length > 0) this.wrongs.push(`${runId} was submitted again`);
  }

  #faulty(history: MemoryHistory): MemoryHistory {
    return new Proxy(history, {
      get: (target, name) => {
        const member: unknown = Reflect.get(target, name);
        if (typeof member !== "function") return member;
        return async (...args: readonly unknown[]) => {
          const fault = this.#storeFaults.shift() ?? "none";
          if (fault === "before") throw new Error("the disk is full");
          const value: unknown = await Reflect.apply(member, target, args);
          if (fault !== "none") throw new Error("the disk went away");
          return value;
        };
      },
    });
  }

  /** Chooses every node that is free, whether or not there is room: the rest must hold by itself. */
  #planner(): Planner {
    return {
      observe: () => {},
      observeRun: () => {},
      plan: ({ nodes, scope }) => {
        const left = { chosen: [], postponed: [], postponedByRail: new Map() };
        if (this.clock.monotonicMs() > timing.planForMs) return left;
        const mayHave = (node: string) =>
          scope === undefined || (scope.includes(node) && !scope.hasBegun(node, "probe"));
        const free = nodes.filter(({ name, notFree }) => notFree.length === 0 && mayHave(name));
        const why = { check: "probe", purpose: "routine", reason: "free" } as const;
        const cost = { gpuHours: 1, fileSystem: "" };
        return { ...left, chosen: free.map((node) => ({ node, ...why, ...cost })) };
      },
    };
  }

  #happen({ kind, size }: Happening): void {
    if (kind === "jump") this.calendar.jump(size);
    else if (kind === "vanish") this.world.vanishOne();
    else if (kind === "lose-node")
      this.world.loseNode(`node-${Math.abs(size) % this.schedule.nodes}`);
    else this.#cutUntilMs = this.clock.monotonicMs() + Math.abs(size);
  }
}

/** A completed run passes; anything else is unknown. */
function judgeByOutcome(): Judge {
  return async ({ newRuns, nowMs }) => ({
    wanted: [],
    verdicts: newRuns.map(({ intent, result }) => ({
      runId: intent.id,
      atMs: nowMs,
      verdict: result?.outcome === "completed" ? "pass" : "unknown",
      reason: result?.outcome ?? "",
      findings: [],
      ...(result === undefined ? {} : { about: result.origin }),
    })),
  });
}
