import assert from "node:assert/strict";
import type { Rng } from "../../platform/rng/index.ts";
import {
  type Choice,
  type Fleet,
  type Policy,
  type PublicEvent,
  type RunningTest,
  secondsPerDay,
  TestFloor,
} from "../prioritize/index.ts";
import { DefectLedger } from "./defect-ledger.ts";
import type { EventLog, LogEvent } from "./event-log.ts";
import { CoverageMeter, ExposureMeter, type PolicyMetrics, timesToDetect } from "./metrics.ts";

const askEveryS = 600;
const awayS = 24 * 3600;

/** A test that a policy began, for whoever wants to watch. */
export interface BegunTest {
  readonly atS: number;
  readonly choice: Choice;
}

export interface ReplayOptions {
  /** Draws detections and false alarms: the same seed, the same draws for every policy. */
  readonly rng: Rng;
  /** Called for each test that is begun. */
  readonly onBegin?: (test: BegunTest) => void;
}

/** Runs one policy over a log, by the rules of docs/policies.md. Pure: only the seed is chance. */
export function replayPolicy(log: EventLog, policy: Policy, options: ReplayOptions): PolicyMetrics {
  return new Replay(log.fleet, policy, options).run(log.events);
}

class Replay {
  readonly #fleet: Fleet;
  readonly #policy: Policy;
  readonly #options: ReplayOptions;
  readonly #floor: TestFloor;
  readonly #defects = new DefectLedger();
  readonly #exposure: ExposureMeter;
  readonly #coverage: CoverageMeter;
  /** Nodes away, in the order they come back: all are away for the same time. */
  readonly #away: { readonly node: number; readonly untilS: number }[] = [];
  #returned = 0;
  #testsRun = 0;
  #falseQuarantines = 0;
  readonly #healthyTests = new Map<string, number>();

  constructor(fleet: Fleet, policy: Policy, options: ReplayOptions) {
    this.#fleet = fleet;
    this.#policy = policy;
    this.#options = options;
    this.#floor = new TestFloor(fleet);
    this.#exposure = new ExposureMeter(fleet.nodes.length);
    this.#coverage = new CoverageMeter(fleet.nodes.length);
  }

  run(events: readonly LogEvent[]): PolicyMetrics {
    const { startS, endS } = this.#fleet;
    const floor = this.#floor;
    let next = 0;
    let tickS = startS;
    let dayEndS = (Math.floor(startS / secondsPerDay) + 1) * secondsPerDay;
    for (let nowS = startS; nowS <= endS; ) {
      floor.advance(nowS);
      let ask = this.#endTests();
      if (this.#comeBack(nowS)) ask = true;
      if (nowS === dayEndS || nowS === endS) {
        this.#coverage.endDay(nowS);
        if (nowS === dayEndS) dayEndS += secondsPerDay;
      }
      for (let event = events[next]; event !== undefined && event.t <= nowS; ) {
        if (this.#apply(event)) ask = true;
        event = events[++next];
      }
      if (nowS === tickS) {
        ask = true;
        tickS += askEveryS;
      }
      if (nowS === endS) break;
      if (ask) this.#ask();
      nowS = Math.min(
        endS,
        tickS,
        dayEndS,
        events[next]?.t ?? endS,
        floor.nextEndS(),
        this.#away[this.#returned]?.untilS ?? endS,
      );
    }
    return this.#close(endS);
  }

  #ask(): void {
    const floor = this.#floor;
    while (floor.hasRoom) {
      const choice = this.#policy.choose(floor);
      if (choice === undefined) return;
      floor.begin(choice.node, choice.check);
      this.#options.onBegin?.({ atS: floor.nowS, choice });
    }
  }

  #endTests(): boolean {
    const ended = this.#floor.takeEnded();
    for (const test of ended) this.#finish(test);
    return ended.length > 0;
  }

  #finish({ node, check }: RunningTest): void {
    const nowS = this.#floor.nowS;
    this.#testsRun++;
    this.#coverage.finished(node, nowS);
    const isDefective = this.#defects.isDefective(node);
    const isFound = isDefective ? this.#detects(node, check) : this.#raisesFalseAlarm(node, check);
    if (isFound) {
      if (!isDefective) this.#falseQuarantines++;
      this.#defects.find(node, nowS);
      this.#floor.setAway(node, true);
      this.#away.push({ node, untilS: nowS + awayS });
    }
    const outcome = isFound ? "found" : "passed";
    this.#tell({ type: "tested", t: nowS, node, check, outcome });
  }

  #detects(node: number, check: number): boolean {
    const { name = "", sensitivity = {} } = this.#fleet.checks[check] ?? {};
    return this.#defects.test(node, ({ id, kind, nth }) => {
      const chance = Object.hasOwn(sensitivity, kind) ? (sensitivity[kind] ?? 0) : 0;
      return this.#options.rng.stream("detection", id, name, nth).float() < chance;
    });
  }

  #raisesFalseAlarm(node: number, check: number): boolean {
    const { name: checkName = "", falseAlarm = 0 } = this.#fleet.checks[check] ?? {};
    if (falseAlarm === 0) return false;
    const nodeName = this.#fleet.nodes[node]?.name ?? "";
    const key = `${node} ${check}`;
    const nth = this.#healthyTests.get(key) ?? 0;
    this.#healthyTests.set(key, nth + 1);
    const stream = this.#options.rng.stream("false alarm", nodeName, checkName, nth);
    return stream.float() < falseAlarm;
  }

  #comeBack(nowS: number): boolean {
    const before = this.#returned;
    for (let one = this.#away[before]; one !== undefined && one.untilS <= nowS; ) {
      this.#floor.setAway(one.node, false);
      this.#tell({ type: "returned", t: nowS, node: one.node });
      one = this.#away[++this.#returned];
    }
    return this.#returned > before;
  }

  /** Lets an event happen. True when the policy is to be asked. */
  #apply(event: LogEvent): boolean {
    if (event.type === "free" || event.type === "busy") return this.#move(event);
    if (event.type === "crash") {
      if (this.#defects.isMoot(event.causes)) return false;
      const nodes = event.nodes.filter((node) => !this.#floor.isAway(node));
      if (nodes.length > 0) this.#tell({ type: "crash", t: event.t, job: event.job, nodes });
      return false;
    }
    const { node, t } = event;
    if (event.type === "defect") {
      if (this.#floor.isAway(node)) this.#defects.neverBegin(event.id);
      else this.#defects.begin(event, t);
      this.#noteExposure(node);
      return false;
    }
    const { cause } = event;
    if (this.#floor.isAway(node)) return false;
    if (cause !== undefined && this.#defects.isMoot([cause])) return false;
    if (event.type === "kernel") this.#tell({ type: "kernel", t, node, xid: event.xid });
    else {
      if (cause !== undefined) this.#defects.repair(cause, t);
      this.#noteExposure(node);
      this.#tell({ type: "repair", t, node });
    }
    return false;
  }

  #move({ type, t, node }: LogEvent & { readonly type: "free" | "busy" }): boolean {
    const preempted = this.#floor.setBusy(node, type === "busy");
    this.#noteExposure(node);
    this.#tell({ type, t, node });
    if (preempted !== undefined) {
      this.#tell({ type: "tested", t, node, check: preempted.check, outcome: "preempted" });
    }
    return type === "free" || preempted !== undefined;
  }

  #noteExposure(node: number): void {
    const isExposed = this.#floor.isBusy(node) && this.#defects.isDefective(node);
    this.#exposure.set(node, isExposed, this.#floor.nowS);
  }

  #tell(event: PublicEvent): void {
    this.#policy.observe(event);
  }

  #close(endS: number): PolicyMetrics {
    assert(this.#floor.nowS === endS, "a replay ends at the end of its log");
    this.#floor.close();
    this.#defects.close(endS);
    this.#exposure.close(endS);
    const { meanTimeToDetectHours, p90TimeToDetectHours, undetected } = timesToDetect(
      this.#defects.ended,
    );
    return {
      meanTimeToDetectHours,
      p90TimeToDetectHours,
      exposureNodeHours: this.#exposure.nodeHours,
      coverage: this.#coverage.share,
      testsRun: this.#testsRun,
      gpuHours: this.#floor.gpuHours,
      falseQuarantines: this.#falseQuarantines,
      undetected,
    };
  }
}
