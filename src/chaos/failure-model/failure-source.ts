import assert from "node:assert/strict";
import type { Chance, ChanceStream } from "../chance/index.ts";
import type { Cause, CauseScope } from "./cause.ts";
import { logNormalSigma, waitingTimes } from "./distributions.ts";
import { torShare } from "./domains.ts";
import type { FailureModel } from "./failure-model.ts";
import type { Extent, Incident, JobStop, Straggling } from "./incident.ts";

const dayUs = 86_400_000_000;
const minuteUs = 60_000_000;
/** Far enough to be never, near enough to be an exact whole number. */
const neverUs = 2 ** 52;

/**
 * What happens next, drawn one by one. Each node has streams of its own: a node more or less, or another
 * order of questions about different nodes, changes nothing for the others.
 */
export class FailureSource {
  readonly #model: FailureModel;
  readonly #chance: Chance;
  readonly #devicesPerNode: number;
  readonly #nodeCauses: CauseTable;
  readonly #jobCauses: CauseTable;
  readonly #torShare: number;
  readonly #nodeGap: (stream: ChanceStream) => number;
  readonly #jobGap: (stream: ChanceStream) => number;
  readonly #baseGapUs: number;
  readonly #repairSigma: number;
  readonly #lives = new Map<number, NodeLife>();

  constructor(model: FailureModel, chance: Chance, devicesPerNode: number) {
    assert(devicesPerNode >= 1, "a node has a device");
    const { hardware, lemons, repair, software } = model;
    this.#model = model;
    this.#chance = chance;
    this.#devicesPerNode = devicesPerNode;
    this.#nodeCauses = new CauseTable(model.causes, (scope) => scope !== "job");
    this.#jobCauses = new CauseTable(model.causes, (scope) => scope === "job");
    this.#torShare = torShare(model);
    this.#nodeGap = waitingTimes(hardware.shape.value);
    this.#jobGap = waitingTimes(software.shape.value);
    // Lemons and the others together fail as often as the published total says.
    const { share, multiplier } = lemons;
    const mean = 1 - share.value + share.value * multiplier.value;
    this.#baseGapUs = gapUs(hardware.perThousandNodeDays.value / 1000 / mean);
    this.#repairSigma = logNormalSigma(repair.medianMinutes.value, repair.meanMinutes.value);
  }

  get causes(): readonly Cause[] {
    return this.#model.causes;
  }

  isLemon(node: number): boolean {
    return this.#life(node).isLemon;
  }

  /** The next incident of a node that has been well since `fromUs`. */
  incident(node: number, fromUs: number): Incident | null {
    const { multiplier, growth, growthIncidents } = this.#model.lemons;
    const life = this.#life(node);
    const grown = grow(growth.value, Math.min(life.incidents, growthIncidents.value));
    const rate = (life.isLemon ? multiplier.value : 1) * grown;
    const gap = this.#nodeGap(this.#chance.stream("fleet incident", node));
    const atUs = laterUs(fromUs, (gap * this.#baseGapUs) / rate);
    if (atUs === null) return null;
    life.incidents++;
    return { atUs, node, ...this.#detail(node) };
  }

  /** The next time that a node becomes slow. */
  straggling(node: number, fromUs: number): Straggling | null {
    const { stragglers } = this.#model;
    const stream = this.#chance.stream("fleet straggler", node);
    const meanUs = gapUs(stragglers.perThousandNodeDays.value / 1000);
    if (meanUs === Infinity) return null;
    const atUs = laterUs(fromUs, stream.exponential(meanUs));
    if (atUs === null) return null;
    const isNetwork = stream.bernoulli(stragglers.communicationShare.value);
    const durationMean = isNetwork
      ? stragglers.communicationMeanHours.value * 60 * minuteUs
      : stragglers.computeMeanMinutes.value * minuteUs;
    const { slowdownMin, slowdownMax } = stragglers;
    return {
      atUs,
      node,
      slowdown: slowdownMin.value + stream.float() * (slowdownMax.value - slowdownMin.value),
      durationUs: Math.max(1, Math.round(stream.exponential(durationMean))),
      reason: isNetwork ? "communication" : "compute",
    };
  }

  /** The next time that the program itself stops. */
  softwareStop(fromUs: number): JobStop | null {
    const meanUs = gapUs(this.#model.software.perJobDay.value);
    if (meanUs === Infinity) return null;
    const stream = this.#chance.stream("fleet software");
    const atUs = laterUs(fromUs, meanUs * this.#jobGap(stream));
    if (atUs === null) return null;
    return { atUs, cause: this.#jobCauses.draw(stream), isPlanned: false };
  }

  /** The next time that somebody stops the job with notice. */
  plannedStop(fromUs: number): JobStop | null {
    const meanUs = gapUs(this.#model.software.plannedPerJobDay.value);
    if (meanUs === Infinity) return null;
    const atUs = laterUs(fromUs, this.#chance.stream("fleet planned").exponential(meanUs));
    return atUs === null ? null : { atUs, cause: -1, isPlanned: true };
  }

  #life(node: number): NodeLife {
    const known = this.#lives.get(node);
    if (known !== undefined) return known;
    const { share } = this.#model.lemons;
    const isLemon = this.#chance.stream("fleet lemon", node).bernoulli(share.value);
    const life = { isLemon, incidents: 0 };
    this.#lives.set(node, life);
    return life;
  }

  #detail(node: number): Omit<Incident, "atUs" | "node"> {
    const stream = this.#chance.stream("fleet detail", node);
    const cause = this.#nodeCauses.draw(stream);
    const scope = this.#model.causes[cause]?.scope ?? "node";
    const extent = this.#extent(scope, stream);
    const device = stream.int(this.#devicesPerNode);
    const more = stream.bernoulli(this.#model.together.tray.value) ? 1 + stream.int(2) : 0;
    const { drainShare, medianMinutes } = this.#model.repair;
    const drains = stream.bernoulli(drainShare.value);
    const repairUs = stream.logNormal(medianMinutes.value * minuteUs, this.#repairSigma);
    return {
      cause,
      extent,
      ...(extent === "device"
        ? { device, devices: Math.min(1 + more, this.#devicesPerNode - device) }
        : { device: 0, devices: this.#devicesPerNode }),
      repairUs: drains ? Math.min(Math.max(1, Math.round(repairUs)), neverUs) : 0,
    };
  }

  #extent(scope: CauseScope, stream: ChanceStream): Extent {
    // One draw whatever the scope, so that an edited table of causes shifts nothing else.
    const drawn = stream.float();
    if (scope === "device") return "device";
    if (scope === "network") return drawn < this.#torShare ? "tor" : "link";
    const { rack, power } = this.#model.together;
    if (drawn < power.value) return "power";
    return drawn < power.value + rack.value ? "rack" : "node";
  }
}

interface NodeLife {
  readonly isLemon: boolean;
  incidents: number;
}

/** Picks by counts. */
class CauseTable {
  readonly #indices: readonly number[];
  readonly #upTo: readonly number[];

  constructor(causes: readonly Cause[], holds: (scope: CauseScope) => boolean) {
    const indices: number[] = [];
    const upTo: number[] = [];
    let total = 0;
    for (const [index, { scope, count }] of causes.entries()) {
      if (!holds(scope)) continue;
      assert(count >= 0 && Number.isFinite(count), "causes have counts");
      total += count;
      indices.push(index);
      upTo.push(total);
    }
    this.#indices = indices;
    this.#upTo = upTo;
  }

  /** An index in the table of causes; -1 when no row is meant. */
  draw(stream: ChanceStream): number {
    const drawn = stream.float() * (this.#upTo.at(-1) ?? 0);
    return this.#indices[this.#upTo.findIndex((count) => drawn < count)] ?? -1;
  }
}

function gapUs(perDay: number): number {
  assert(perDay >= 0, "a rate is not below 0");
  return dayUs / perDay;
}

function laterUs(fromUs: number, delayUs: number): number | null {
  const atUs = fromUs + Math.max(1, Math.round(delayUs));
  return atUs < neverUs ? atUs : null;
}

/** growth^times by multiplying: powers of `Math` differ between versions of Node. */
function grow(growth: number, times: number): number {
  let product = 1;
  for (let index = 0; index < times; index++) product *= growth;
  return product;
}
