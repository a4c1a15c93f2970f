import { type Fleet, type PublicEvent, secondsPerHour } from "../policy.ts";
import { KernelBursts } from "./bursts.ts";
import { OtherCauses } from "./crash-causes.ts";
import { passQuiet } from "./filter.ts";
import { onsetRates } from "./hazard.ts";
import { type CrashRecord, NodeHistory, type Sign } from "./history.ts";
import { learnRates } from "./learn.ts";
import { forgetRates, initialRates, type Rates } from "./rates.ts";
import { takeSign } from "./signs.ts";
import { Smoother } from "./smooth.ts";
import { type StateSpace, stateSpaceOf } from "./states.ts";

/** Defects may have begun this long before the log. */
const unseenHours = 5 * 24;

/** Crashes further back hardly matter for what is believed today. */
const blameHours = 14 * 24;
/** The pass of a node that was hardly suspected changes nobody's blame. */
const suspicionMin = 0.05;

const fitRounds = { again: 2, afresh: 6 } as const;

/** What is believed of every node: chances by state, kept up to date with all that is seen. */
export class FleetBelief {
  readonly space: StateSpace;
  readonly rates: Rates;
  readonly #fleet: Fleet;
  readonly #initial: Float64Array;
  readonly #beliefs: Float64Array[];
  readonly #atS: Float64Array;
  readonly #histories: readonly NodeHistory[];
  readonly #others: OtherCauses;
  readonly #bursts = new KernelBursts();
  /** Renews the blame of single nodes; what it counts is not used. */
  readonly #lookBack: Smoother;
  #onsetPerHour: Float64Array;

  constructor(fleet: Fleet) {
    this.#fleet = fleet;
    this.space = stateSpaceOf(fleet);
    this.rates = initialRates(this.space);
    const { onsetPerHour, share } = this.rates;
    this.#initial = share.map((one) => one * onsetPerHour * unseenHours);
    this.#initial[0] = 1 - this.#initial.reduce((sum, one) => sum + one, 0);
    this.#beliefs = fleet.nodes.map(() => this.#initial.slice());
    this.#atS = new Float64Array(fleet.nodes.length).fill(fleet.startS);
    this.#histories = fleet.nodes.map(() => new NodeHistory(fleet.startS));
    this.#others = new OtherCauses(fleet.startS);
    this.#lookBack = new Smoother(this.space, this.rates);
    this.#onsetPerHour = new Float64Array(fleet.nodes.length).fill(onsetPerHour);
  }

  onsetPerHour(node: number): number {
    return this.#onsetPerHour[node] ?? 0;
  }

  /** Chances by state as of `asOfS(node)`. */
  of(node: number): Float64Array {
    return this.#beliefs[node] ?? this.#initial;
  }

  asOfS(node: number): number {
    return this.#atS[node] ?? this.#fleet.startS;
  }

  isBusy(node: number): boolean {
    return this.#histories[node]?.isBusy ?? false;
  }

  /** Takes an event into account. Returns the nodes of which something else is believed now. */
  observe(event: PublicEvent): readonly number[] {
    if (event.type === "crash") return this.#crash(event);
    const { node, t } = event;
    this.#moveTo(node, t);
    if (event.type === "free" || event.type === "busy") {
      this.#histories[node]?.setBusy(event.type === "busy", t);
    } else if (event.type === "returned") this.#histories[node]?.restart(t);
    else if (event.type === "kernel") {
      const { xid } = event;
      if (this.#bursts.isNew(node, xid, t)) this.#see(node, { type: "kernel", xid }, t);
    } else if (event.type === "repair") this.#see(node, { type: "repair" }, t);
    else if (event.outcome !== "preempted") return this.#test(event);
    return [node];
  }

  /** What was seen of a node since it was last tested or repaired. */
  signsSinceResult(node: number): { readonly crashes: number; readonly kernelEvents: number } {
    const entries = this.#histories[node]?.entries ?? [];
    const last = entries.findLastIndex(({ sign }) => !["crash", "kernel"].includes(sign.type));
    const since = entries.slice(last + 1);
    const crashes = since.filter(({ sign }) => sign.type === "crash").length;
    return { crashes, kernelEvents: since.length - crashes };
  }

  /** Forgets the rates and learns them from everything seen: the same, whatever was learned before. */
  fitAfresh(nowS: number): void {
    forgetRates(this.rates, this.space);
    this.#onsetPerHour.fill(this.rates.onsetPerHour);
    this.refit(nowS, fitRounds.afresh);
  }

  /** Looks back over everything and learns the rates anew. */
  refit(nowS: number, rounds: number = fitRounds.again): void {
    for (let round = 0; round < rounds; round++) {
      const smoother = new Smoother(this.space, this.rates);
      const onsets = new Float64Array(this.#fleet.nodes.length);
      this.#histories.forEach((history, node) => {
        const onsetPerHour = this.onsetPerHour(node);
        const looked = smoother.add({ history, initial: this.#initial, onsetPerHour, nowS });
        onsets[node] = looked.onsets;
        this.#beliefs[node] = looked.belief;
        this.#atS[node] = nowS;
      });
      learnRates(this.rates, smoother.counts, this.space);
      const hours = (nowS - this.#fleet.startS) / secondsPerHour;
      const perHour = this.rates.onsetPerHour;
      this.#onsetPerHour = onsetRates(this.#fleet, { onsets, hours, perHour });
    }
  }

  /** A result. It changes what the node is to blame for, and with that what others are to blame for. */
  #test({ t, node, check, outcome }: PublicEvent & { readonly type: "tested" }): readonly number[] {
    const suspicion = 1 - (this.of(node)[0] ?? 1);
    const isFound = outcome === "found";
    this.#see(node, { type: isFound ? "found" : "passed", check }, t);
    const history = this.#histories[node];
    if (history === undefined || !(isFound || suspicion > suspicionMin)) return [node];
    const others = new Set(history.recentCrashes(blameHours).flatMap(({ nodes }) => nodes));
    others.delete(node);
    if (others.size === 0) return [node];
    const onsetPerHour = this.onsetPerHour(node);
    this.#lookBack.add({ history, initial: this.#initial, onsetPerHour, nowS: t });
    for (const other of others) this.#believeAnew(other, t);
    return [node, ...others];
  }

  /** Works out what is believed of a node from all that was seen of it. */
  #believeAnew(node: number, nowS: number): void {
    const history = this.#histories[node];
    if (history === undefined) return;
    const belief = this.#initial.slice();
    const onsetPerHour = this.onsetPerHour(node);
    for (const { hours, busyHours, sign } of history.entries) {
      passQuiet(belief, this.rates, { hours, busyHours, onsetPerHour });
      takeSign(belief, sign, { space: this.space, rates: this.rates });
    }
    passQuiet(belief, this.rates, { ...history.quietUntil(nowS), onsetPerHour });
    this.#beliefs[node] = belief;
    this.#atS[node] = nowS;
  }

  #crash({ t, job, nodes }: PublicEvent & { readonly type: "crash" }): readonly number[] {
    const blame = Float64Array.from(nodes, (node) => {
      this.#moveTo(node, t);
      return this.#expectedCrashRate(node);
    });
    const nodesRate = blame.reduce((sum, one) => sum + one, 0);
    const soundRate = (this.rates.crash[0] ?? 0) * nodes.length;
    const crash: CrashRecord = {
      nodes,
      blame,
      elsewhere: this.#others.rateOf(job, { nowS: t, soundRate }),
    };
    this.#others.note(job, { nowS: t, nodesRate });
    nodes.forEach((node, place) => {
      this.#see(node, { type: "crash", crash, place }, t);
    });
    return nodes;
  }

  #expectedCrashRate(node: number): number {
    const belief = this.of(node);
    let rate = 0;
    for (let state = 0; state < belief.length; state++) {
      rate += (belief[state] ?? 0) * (this.rates.crash[state] ?? 0);
    }
    return rate;
  }

  #see(node: number, sign: Sign, nowS: number): void {
    takeSign(this.of(node), sign, { space: this.space, rates: this.rates });
    this.#histories[node]?.add(sign, nowS);
  }

  /** Lets the time since the last look at a node pass. */
  #moveTo(node: number, nowS: number): void {
    const hours = (nowS - this.asOfS(node)) / secondsPerHour;
    const busyHours = this.isBusy(node) ? hours : 0;
    passQuiet(this.of(node), this.rates, {
      hours,
      busyHours,
      onsetPerHour: this.onsetPerHour(node),
    });
    this.#atS[node] = nowS;
  }
}
