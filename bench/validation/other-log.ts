import { createRng, type RngStream } from "../../src/platform/rng/index.ts";
import {
  exponential,
  logNormal,
  pickWeighted,
  poissonTimes,
} from "../../src/validation/fleet-log/chance.ts";
import { EventHeap } from "../../src/validation/fleet-log/event-heap.ts";
import { type EventLog, parseLog } from "../../src/validation/replay/index.ts";
import type { OtherFleet, OtherKind } from "./other-fleets.ts";

const hourS = 3600;
const dayS = 86_400;
const programXids = [13, 31, 43, 45] as const;
const hardwareXids = [63, 74, 94] as const;

interface Line {
  readonly type: string;
  readonly t: number;
  readonly node: number;
  readonly [more: string]: unknown;
}

interface Onset {
  readonly id: string;
  readonly node: number;
  readonly kind: OtherKind;
  readonly fromS: number;
  readonly untilS: number;
}

interface Job {
  readonly name: string;
  readonly nodes: readonly number[];
  isOver: boolean;
}

type Happening =
  | { readonly what: "start"; readonly t: number }
  | { readonly what: "idle"; readonly t: number; readonly node: number }
  | { readonly what: "end"; readonly t: number; readonly job: Job }
  | { readonly what: "bug"; readonly t: number; readonly job: Job }
  | { readonly what: "crash"; readonly t: number; readonly node: number; readonly defect?: string }
  | {
      readonly what: "kernel";
      readonly t: number;
      readonly node: number;
      readonly xids: readonly number[];
      readonly defect?: string;
    };

/** The log of a drawn fleet, read as any log is read. */
export function otherLogOf(fleet: OtherFleet): EventLog {
  const rng = createRng(`log ${fleet.label}`);
  const endS = fleet.days * dayS;
  const onsets = onsetsOf(fleet, rng.stream("onsets"), endS);
  const lines: Line[] = [];
  for (const { id, node, kind, fromS, untilS } of onsets) {
    lines.push({ type: "defect", t: fromS, node, id, kind: kind.name });
    if (untilS < endS) lines.push({ type: "repair", t: untilS, node, defect: id });
  }
  const planned = rng.stream("planned");
  for (let node = 0; node < fleet.nodes.length; node++) {
    const ratePerS = fleet.plannedRepairsPerNodeDay / dayS;
    for (const t of poissonTimes(planned, { ratePerS, from: 0, to: endS })) {
      lines.push({ type: "repair", t: Math.round(t), node });
    }
  }
  const occupancy = new Occupancy(fleet, rng.stream("jobs"), endS);
  for (const strike of strikesOf(fleet, onsets, rng.stream("strikes"), endS)) occupancy.add(strike);
  const header = {
    type: "fleet",
    start: fleet.startS,
    end: fleet.startS + endS,
    nodes: fleet.nodes,
    checks: fleet.checks,
    limits: fleet.limits,
  };
  const texts = [...lines, ...occupancy.run()]
    .toSorted((a, b) => a.t - b.t)
    .map(({ node, t, ...line }) =>
      JSON.stringify({ ...line, t: fleet.startS + t, node: fleet.nodes[node]?.name }),
    );
  return parseLog([JSON.stringify(header), ...texts].join("\n"));
}

function onsetsOf(fleet: OtherFleet, stream: RngStream, endS: number): readonly Onset[] {
  const onsets: Onset[] = [];
  const begin = (node: number, t: number): number => {
    const kind = pickWeighted(stream, fleet.kinds);
    const untilS = Number.isFinite(fleet.repairDays)
      ? Math.round(t + exponential(stream, fleet.repairDays * dayS))
      : Number.POSITIVE_INFINITY;
    onsets.push({ id: `x${onsets.length}`, node, kind, fromS: Math.round(t), untilS });
    return untilS;
  };
  fleet.onsetsPerDay.forEach((perDay, node) => {
    let brokenUntilS = stream.float() < fleet.brokenAtStart ? begin(node, 0) : 0;
    for (const t of poissonTimes(stream, { ratePerS: perDay / dayS, from: 0, to: endS })) {
      if (fleet.overlapping || t > brokenUntilS) brokenUntilS = begin(node, t);
    }
  });
  return onsets;
}

function* strikesOf(
  fleet: OtherFleet,
  onsets: readonly Onset[],
  stream: RngStream,
  endS: number,
): Generator<Happening> {
  const { noise } = fleet;
  const times = (perHour: number, from: number, to: number) =>
    poissonTimes(stream, { ratePerS: perHour / hourS, from, to });
  for (let node = 0; node < fleet.nodes.length; node++) {
    for (const t of times(noise.crashesPerHour, 0, endS)) yield { what: "crash", t, node };
    for (const t of times(noise.programPerHour, 0, endS)) {
      yield { what: "kernel", t, node, xids: burst(stream, programXids, noise.burstMax) };
    }
    for (const t of times(noise.hardwarePerHour, 0, endS)) {
      yield { what: "kernel", t, node, xids: burst(stream, hardwareXids, noise.burstMax) };
    }
  }
  for (const { id: defect, node, kind, fromS, untilS } of onsets) {
    const to = Math.min(untilS, endS);
    for (const t of times(kind.crashesPerHour, fromS, to)) yield { what: "crash", t, node, defect };
    if (kind.xids.length === 0) continue;
    for (const t of times(kind.kernelPerHour, fromS, to)) {
      yield { what: "kernel", t, node, xids: burst(stream, kind.xids, noise.burstMax), defect };
    }
  }
}

function burst(stream: RngStream, xids: readonly number[], max: number): readonly number[] {
  const xid = stream.pick(xids);
  return Array.from({ length: 1 + stream.int(max) }, () => xid);
}

/** Jobs on nodes: there is always a next job, and it starts as soon as enough nodes are ready. */
class Occupancy {
  readonly #fleet: OtherFleet;
  readonly #stream: RngStream;
  readonly #endS: number;
  readonly #heap = new EventHeap<Happening>();
  readonly #jobOn: (Job | undefined)[];
  readonly #lines: Line[] = [];
  #ready: number[];
  #nextSize: number;
  #busy = 0;
  #jobs = 0;

  constructor(fleet: OtherFleet, stream: RngStream, endS: number) {
    this.#fleet = fleet;
    this.#stream = stream;
    this.#endS = endS;
    this.#jobOn = Array.from({ length: fleet.nodes.length });
    this.#ready = fleet.nodes.map((_, node) => node);
    this.#nextSize = this.#drawSize();
    this.#heap.push({ what: "start", t: 0 });
  }

  add(happening: Happening): void {
    this.#heap.push(happening);
  }

  run(): readonly Line[] {
    for (let next = this.#heap.pop(); next !== undefined && next.t < this.#endS; ) {
      this.#happen(next);
      next = this.#heap.pop();
    }
    return this.#lines;
  }

  #happen(event: Happening): void {
    if (event.what === "start") this.#startJobs(event.t);
    else if (event.what === "idle") {
      this.#ready.push(event.node);
      this.#startJobs(event.t);
    } else if (event.what === "end") this.#end(event.job, event.t);
    else if (event.what === "bug") {
      if (event.job.isOver) return;
      this.#crash(event.job, event.t, undefined);
      this.#planBug(event.job, event.t);
    } else {
      const job = this.#jobOn[event.node];
      if (job === undefined) return;
      if (event.what === "crash") this.#crash(job, event.t, event.defect);
      else this.#kernel(event);
    }
  }

  #kernel({ t, node, xids, defect }: Happening & { readonly what: "kernel" }): void {
    const cause = defect === undefined ? {} : { defect };
    xids.forEach((xid, at) => {
      this.#lines.push({ type: "kernel", t: Math.round(t) + at, node, xid, ...cause });
    });
  }

  #startJobs(t: number): void {
    const { busyShare, placement, job, nodes } = this.#fleet;
    while (
      this.#nextSize <= this.#ready.length &&
      this.#busy + this.#nextSize <= Math.max(1, busyShare * nodes.length)
    ) {
      if (placement === "packed") this.#ready.sort((a, b) => a - b);
      else if (placement === "random") this.#ready = this.#stream.shuffle(this.#ready);
      const taken = this.#ready.splice(0, this.#nextSize);
      const next: Job = { name: `j${++this.#jobs}`, nodes: taken, isOver: false };
      this.#busy += taken.length;
      for (const node of taken) {
        this.#jobOn[node] = next;
        this.#lines.push({ type: "busy", t: Math.round(t), node });
      }
      this.#heap.push({ what: "end", t: t + this.#drawHours() * hourS, job: next });
      if (this.#stream.float() < job.buggyShare) this.#planBug(next, t);
      this.#nextSize = this.#drawSize();
    }
  }

  #drawSize(): number {
    const { job, nodes, busyShare } = this.#fleet;
    const most = Math.max(1, Math.floor((busyShare * nodes.length) / 2));
    return Math.min(this.#stream.pick(job.sizes), most);
  }

  #drawHours(): number {
    const { hours, shape } = this.#fleet.job;
    if (shape === "exponential") return exponential(this.#stream, hours);
    if (shape === "uniform") return 2 * hours * this.#stream.float();
    return logNormal(this.#stream, 0.5 * hours, 1.2);
  }

  #planBug(job: Job, t: number): void {
    this.#heap.push({ what: "bug", t: t + exponential(this.#stream, 1.5 * hourS), job });
  }

  #crash(job: Job, t: number, defect: string | undefined): void {
    const cause = defect === undefined ? {} : { defect };
    for (const node of job.nodes) {
      this.#lines.push({ type: "crash", t: Math.round(t), node, job: job.name, ...cause });
    }
    if (this.#stream.float() >= this.#fleet.job.restartShare) this.#end(job, t);
  }

  #end(job: Job, t: number): void {
    if (job.isOver) return;
    job.isOver = true;
    this.#busy -= job.nodes.length;
    for (const node of job.nodes) {
      this.#jobOn[node] = undefined;
      this.#lines.push({ type: "free", t: Math.round(t), node });
      const idleS = exponential(this.#stream, this.#fleet.job.turnaroundMinutes * 60);
      this.#heap.push({ what: "idle", t: t + idleS, node });
    }
  }
}
