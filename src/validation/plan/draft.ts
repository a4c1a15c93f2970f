import type { ClusterNode } from "../clusters/cluster.ts";
import { costOf, dueEntries, dueReason, type LatestStatus } from "../prioritize/index.ts";
import type { RunPurpose } from "../run.ts";
import type { CheckSettings, ValidationSettings } from "../settings.ts";
import type { Plan, PlanInput, PlannedRun, PostponedRun, Rail, WantedRun } from "./planner.ts";
import {
  cooldownRail,
  type Load,
  notBeforeRail,
  notFreeRail,
  quietHoursRail,
  type Refusal,
  Room,
  setbackRail,
} from "./rails/index.ts";
import type { Setback, Setbacks } from "./setbacks.ts";

/** So many postponed runs of a rail are listed at most; all are counted. */
export const postponedMax = 1000;

/** A run that somebody proposes. */
export interface Proposal {
  readonly node: string;
  readonly check: string;
  readonly purpose: RunPurpose;
  readonly reason: () => string;
}

/** A plan in the making: proposals come in order of urgency, and the guard rails let them in or not. */
export class Draft {
  readonly input: PlanInput;
  readonly settings: ValidationSettings;
  /** When each check that can run here last gave a result. */
  readonly latest: LatestStatus;
  readonly room: Room;
  readonly #checks: ReadonlyMap<string, CheckSettings>;
  readonly #nodes: ReadonlyMap<string, ClusterNode>;
  readonly #openOn: ReadonlyMap<string, string>;
  readonly #quiet: Refusal | undefined;
  readonly #setbacks: Setbacks;
  readonly #chosen = new Map<string, PlannedRun>();
  readonly #postponed: PostponedRun[] = [];
  readonly #byRail = new Map<Rail, number>();
  /** Nodes kept for a wanted run. */
  readonly #kept = new Map<string, WantedRun>();

  constructor(input: PlanInput, settings: ValidationSettings, setbacks: Setbacks) {
    this.input = input;
    this.settings = settings;
    this.#setbacks = setbacks;
    const { latest, open, nowMs } = input;
    const known = new Set(latest.checks);
    const checks = settings.checks.filter(({ name }) => known.has(name));
    this.#checks = new Map(checks.map((check) => [check.name, check]));
    this.latest =
      latest.checks.length === this.#checks.size
        ? latest
        : {
            readAtMs: latest.readAtMs,
            checks: latest.checks.filter((name) => this.#checks.has(name)),
            testedAtMs: (node, check) => latest.testedAtMs(node, check),
          };
    const intents = open.map(({ intent }) => intent);
    this.room = new Room(settings.guard, intents, input.gpuHoursToday);
    this.#nodes = new Map(input.nodes.map((node) => [node.name, node]));
    this.#openOn = new Map(intents.map(({ node, check }) => [node, check]));
    this.#quiet = quietHoursRail(nowMs, settings.guard.quietHours);
  }

  checkOf(name: string): CheckSettings | undefined {
    return this.#checks.get(name);
  }

  /** Takes a wanted run in, or keeps its node for it. */
  want(wanted: WantedRun): void {
    const { node, check, purpose } = wanted;
    if (this.#hasBegun(node, check)) return;
    const proposal = { ...wanted, reason: () => wanted.reason };
    const refusal = this.#refuseWanted(wanted) ?? this.refuse(proposal);
    if (refusal === undefined) {
      this.#begin(proposal);
      return;
    }
    this.#postpone(node, check, refusal);
    const isDue = purpose === "retest" || wanted.notBeforeMs <= this.input.nowMs;
    if (isDue && this.#checks.has(check) && !this.#kept.has(node)) this.#kept.set(node, wanted);
  }

  /** Takes a routine run in, unless a rail is in the way; then it is postponed. */
  propose(proposal: Proposal): boolean {
    if (this.#hasBegun(proposal.node, proposal.check)) return false;
    const refusal = this.refuse(proposal);
    if (refusal === undefined) this.#begin(proposal);
    else this.#postpone(proposal.node, proposal.check, refusal);
    return refusal === undefined;
  }

  /** Why a proposal cannot be begun now; undefined when it can. */
  refuse({ node: name, check, purpose }: Omit<Proposal, "reason">): Refusal | undefined {
    const node = this.#nodes.get(name);
    const settings = this.#checks.get(check);
    if (node === undefined) return refusal("not-free", "the cluster has no such node");
    if (settings === undefined) return refusal("check", `${check} does not run here`);
    if (this.#hasBegun(name, check)) return refusal("check", `${check} has had its turn here`);
    return (
      this.refuseNode(node, purpose) ??
      this.#refuseSetback(name, check, purpose) ??
      this.room.refuse(loadOf(node, settings))
    );
  }

  /** Why a node can have no run of this purpose now, whichever check it is. */
  refuseNode(node: ClusterNode, purpose: RunPurpose): Refusal | undefined {
    if (this.#quiet !== undefined) return this.#quiet;
    const { nowMs, lastEndedAtMs } = this.input;
    const inUse = this.#openOn.get(node.name);
    if (inUse !== undefined) return refusal("node", `its run of ${inUse} is still open`);
    const chosen = this.#chosen.get(node.name);
    if (chosen !== undefined) return refusal("node", `${chosen.check} goes first on this node`);
    const kept = purpose === "routine" ? this.#kept.get(node.name) : undefined;
    if (kept !== undefined) {
      return refusal("node", `it is kept for its ${kept.purpose} with ${kept.check}`);
    }
    return (
      this.notFree(node) ??
      cooldownRail({
        nowMs,
        purpose,
        lastEndedAtMs: lastEndedAtMs.get(node.name),
        cooldownMs: this.settings.guard.cooldownMs,
      })
    );
  }

  /** Why a node cannot be tested now, as the cluster shows it or a person says. */
  notFree(node: ClusterNode): Refusal | undefined {
    const { held, scope } = this.input;
    const word = held?.get(node.name);
    const refused = word === undefined ? notFreeRail(node) : refusal("not-free", word);
    if (refused !== undefined || scope === undefined || scope.includes(node.name)) return refused;
    return refusal("not-free", "it was not free when this pass began");
  }

  /** Postpones a run that is due and was not proposed: its rail, or else why its policy leaves it. */
  leave(run: Omit<Proposal, "reason">, reason: () => string): void {
    if (this.#hasBegun(run.node, run.check)) return;
    this.#postpone(run.node, run.check, this.refuse(run) ?? { rail: "price", reason });
  }

  /** Postpones nodes that are due and cannot be tested, the most overdue first. */
  leaveNotFree(): void {
    const reasons = new Map<string, Refusal>();
    for (const node of this.input.nodes) {
      const notFree = this.#openOn.has(node.name) ? undefined : this.notFree(node);
      if (notFree !== undefined) reasons.set(node.name, notFree);
    }
    const { staleAfterDays } = this.settings;
    for (const entry of dueEntries([...reasons.keys()], this.latest, staleAfterDays)) {
      const notFree = reasons.get(entry.node);
      if (notFree === undefined || this.#hasBegun(entry.node, entry.check)) continue;
      reasons.delete(entry.node);
      const due = dueReason(entry, this.latest.readAtMs, staleAfterDays);
      const words = () => `${notFree.reason()}; ${due}`;
      this.#postpone(entry.node, undefined, { rail: "not-free", reason: words });
    }
  }

  finish(): Plan {
    return {
      chosen: [...this.#chosen.values()],
      postponed: this.#postponed,
      postponedByRail: this.#byRail,
    };
  }

  /** The runs of a check on a node that came to nothing since one gave a result. */
  setbackOf(node: string, check: string): Setback | undefined {
    return this.#setbacks.of(node, check);
  }

  /** A single pass has each check once, and whoever asks for it may have mended what broke it. */
  #refuseSetback(node: string, check: string, purpose: RunPurpose): Refusal | undefined {
    if (purpose !== "routine" || this.input.scope !== undefined) return undefined;
    const { retestAfterMs } = this.settings.guard;
    return setbackRail(this.setbackOf(node, check), { nowMs: this.input.nowMs, retestAfterMs });
  }

  /** What a single pass has begun is neither begun again nor due in it. */
  #hasBegun(node: string, check: string): boolean {
    return this.input.scope?.hasBegun(node, check) === true;
  }

  #refuseWanted(wanted: WantedRun): Refusal | undefined {
    const { nowMs, lastEndedAtMs } = this.input;
    const { retestAfterMs } = this.settings.guard;
    const last = lastEndedAtMs.get(wanted.node);
    return notBeforeRail(wanted, { nowMs, lastEndedAtMs: last, retestAfterMs });
  }

  #begin({ node: name, check, purpose, reason }: Proposal): void {
    const node = this.#nodes.get(name);
    const settings = this.#checks.get(check);
    if (node === undefined || settings === undefined) return;
    const load = loadOf(node, settings);
    this.room.take(load);
    const { gpuHours, fileSystem } = load;
    this.#chosen.set(name, { node, check, purpose, reason: reason(), gpuHours, fileSystem });
  }

  /** Counts a run and lists the first ones, unless the very same check of the node was chosen before. */
  #postpone(node: string, check: string | undefined, { rail, reason }: Refusal): void {
    const chosen = this.#chosen.get(node);
    if (chosen !== undefined && chosen.check === check) return;
    const count = this.#byRail.get(rail) ?? 0;
    this.#byRail.set(rail, count + 1);
    if (count < postponedMax) this.#postponed.push({ node, check, rail, reason: reason() });
  }
}

/** What a run of a check on a node takes up. */
export function loadOf(node: ClusterNode, check: CheckSettings): Load {
  const { minutes, fileSystem } = check;
  return { rack: node.rack, fileSystem, gpuHours: costOf(node, { minutes }) };
}

function refusal(rail: Refusal["rail"], text: string): Refusal {
  return { rail, reason: () => text };
}
