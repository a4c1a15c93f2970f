import {
  createLiveRiskPolicy,
  type Fleet,
  type LiveRiskPolicy,
  type Openings,
  type PublicEvent,
  secondsPerDay,
} from "../../prioritize/index.ts";
import type { Draft } from "../draft.ts";
import type { EndedRun } from "../planner.ts";
import type { Happening } from "./memory.ts";
import { chargedGpus, policyFleetOf } from "./policy-fleet.ts";

/** A pair that never gave a result counts as tested so long before anything was seen. */
const neverTestedS = 30 * secondsPerDay;

/** The risk policy for the nodes and checks of one time: names instead of places, ms instead of s. */
export class LiveFleet {
  readonly #fleet: Fleet;
  readonly #nodeAt: ReadonlyMap<string, number>;
  readonly #checkAt: ReadonlyMap<string, number>;
  readonly #policy: LiveRiskPolicy;
  #nowS: number;
  /** The last day at whose beginning the policy has learned. */
  #learnedDay: number;

  /** @param happenings everything that happened so far, by time. */
  constructor(draft: Draft, happenings: readonly Happening[]) {
    const nowS = draft.input.nowMs / 1000;
    this.#fleet = policyFleetOf(draft, Math.min(nowS, (happenings[0]?.atMs ?? Infinity) / 1000));
    this.#nodeAt = new Map(this.#fleet.nodes.map(({ name }, at) => [name, at]));
    this.#checkAt = new Map(this.#fleet.checks.map(({ name }, at) => [name, at]));
    const staleFloorDays = 2 * draft.settings.staleAfterDays;
    this.#policy = createLiveRiskPolicy(this.#fleet, { staleFloorDays });
    this.#nowS = this.#fleet.startS;
    // What was learned on earlier days is forgotten on the last one.
    this.#learnedDay = Math.max(dayOf(this.#nowS), dayOf(nowS) - 1);
    for (const one of happenings) this.tell(one);
  }

  /** True while it knows all nodes and checks of a cluster. Nodes that went away do no harm. */
  covers({ input, latest }: Draft): boolean {
    return (
      latest.checks.length === this.#checkAt.size &&
      latest.checks.every((check) => this.#checkAt.has(check)) &&
      input.nodes.every(({ name, sku, rack, gpus }) => {
        const known = this.#fleet.nodes[this.#nodeAt.get(name) ?? -1];
        return known?.sku === sku && known.rack === rack && known.gpus === chargedGpus(gpus);
      })
    );
  }

  /** Takes note of what happened. What comes late counts as if it were now. */
  tell(happening: Happening): void {
    const t = Math.max(this.#nowS, happening.atMs / 1000);
    this.#passTo(t);
    if (happening.type === "run") this.#tellRun(happening.run, t);
    else if (happening.type === "crash") {
      const nodes = happening.nodes.flatMap((name) => this.#nodeAt.get(name) ?? []);
      if (nodes.length > 0) this.#policy.observe({ type: "crash", t, job: happening.job, nodes });
    } else {
      const node = this.#nodeAt.get(happening.node);
      if (node !== undefined) this.#policy.observe(publicEventOf(happening, node, t));
    }
  }

  /** Lets the policy begin what it finds worth its price, within the rails. */
  proposeTo(draft: Draft): void {
    this.#passTo(Math.max(this.#nowS, draft.input.nowMs / 1000));
    this.#noteAges(draft);
    const openings = this.#openingsOf(draft);
    while (openings.slots > 0) {
      const choice = this.#policy.choose(openings);
      if (choice === undefined) return;
      const node = this.#fleet.nodes[choice.node]?.name ?? "";
      const check = this.#fleet.checks[choice.check]?.name ?? "";
      const reason = () => choice.reason();
      if (!draft.propose({ node, check, purpose: "routine", reason })) return;
    }
  }

  /** Why a pair is left for later: `worth 0.1 h per GPU-hour, below the price of 0.4`. */
  explain(pair: { readonly node: string; readonly check: string }, gpuHoursToday: number): string {
    const node = this.#nodeAt.get(pair.node) ?? -1;
    const check = this.#checkAt.get(pair.check) ?? -1;
    const { worth, price } = this.#policy.standing(
      { node, check },
      { nowS: this.#nowS, gpuHoursToday },
    );
    const figure = (value: number) => String(Number(value.toPrecision(2)));
    return Number.isFinite(price)
      ? `worth ${figure(worth)} h per GPU-hour, below the price of ${figure(price)}`
      : `worth ${figure(worth)} h per GPU-hour, and today's plan is used up`;
  }

  #openingsOf(draft: Draft): Openings {
    const { room, input } = draft;
    const { gpuHoursPerDay } = this.#fleet.limits;
    const isOpen = this.#fleet.nodes.map(() => false);
    for (const node of input.nodes) {
      const at = this.#nodeAt.get(node.name);
      if (at !== undefined) isOpen[at] = draft.refuseNode(node, "routine") === undefined;
    }
    const nameOf = (list: readonly { readonly name: string }[], at: number) => list[at]?.name ?? "";
    const { nodes, checks } = this.#fleet;
    return {
      nowS: this.#nowS,
      get slots() {
        return room.slots;
      },
      get gpuHoursLeft() {
        return gpuHoursPerDay - room.gpuHoursToday;
      },
      // Those chosen meanwhile are refused by the rails, which `fits` asks.
      isOpen: (node) => isOpen[node] === true,
      fits: (node, check) =>
        draft.refuse({
          node: nameOf(nodes, node),
          check: nameOf(checks, check),
          purpose: "routine",
        }) === undefined,
    };
  }

  #tellRun({ node: name, check: checkName, outcome }: EndedRun, t: number): void {
    const node = this.#nodeAt.get(name);
    const check = this.#checkAt.get(checkName);
    if (node === undefined || check === undefined) return;
    if (outcome === "passed" || outcome === "found") {
      this.#policy.observe({ type: "tested", t, node, check, outcome });
    }
  }

  /** Every day begins with learning from all that was before it. */
  #passTo(toS: number): void {
    const day = dayOf(toS);
    if (day > this.#learnedDay) {
      this.#learnedDay = day;
      this.#policy.learn(day * secondsPerDay);
    }
    this.#nowS = toS;
  }

  #noteAges({ latest }: Draft): void {
    const neverS = this.#fleet.startS - neverTestedS;
    for (const [name, node] of this.#nodeAt) {
      for (const [checkName, check] of this.#checkAt) {
        const testedMs = latest.testedAtMs(name, checkName);
        this.#policy.noteAge(node, check, testedMs === undefined ? neverS : testedMs / 1000);
      }
    }
  }
}

function publicEventOf(
  happening: Exclude<Happening, { readonly type: "run" | "crash" }>,
  node: number,
  t: number,
): PublicEvent {
  return happening.type === "kernel"
    ? { type: "kernel", t, node, xid: happening.xid }
    : { type: happening.type, t, node };
}

function dayOf(nowS: number): number {
  return Math.floor(nowS / secondsPerDay);
}
