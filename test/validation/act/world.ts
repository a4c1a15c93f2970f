import { deepStrictEqual } from "node:assert";
import type { Verdict } from "../../../src/platform/words.ts";
import { type ActInput, decideActions, noticedEvents } from "../../../src/validation/act/index.ts";
import type { RuleName } from "../../../src/validation/classify/index.ts";
import type { ClusterNode } from "../../../src/validation/clusters/cluster.ts";
import type { NodeEvent } from "../../../src/validation/history/index.ts";
import { CheckStates, type JudgedRun } from "../../../src/validation/judge/index.ts";

export const checks = ["a-test", "b-test"] as const;
export const minuteMs = 60_000;
export const hourMs = 60 * minuteMs;
export const guard = { cooldownMs: 4 * hourMs, retestAfterMs: 10 * minuteMs };

/** A cluster as decisions see it, changed only by what a test does and what was decided. */
export class World {
  nowMs = Date.UTC(2026, 5, 1);
  readonly nodes = new Map<string, ClusterNode>();
  readonly runs: JudgedRun[] = [];
  readonly events: NodeEvent[] = [];
  readonly states = new CheckStates();
  settings: ActInput["settings"] = { label: false, cordon: true, cordonedShareMax: 0.5 };

  constructor(nodeCount = 8) {
    for (let at = 0; at < nodeCount; at++) this.setNode(`n${at}`, {});
  }

  setNode(name: string, change: Partial<ClusterNode>): void {
    const usual = { name, sku: "gpu-x", rack: "", gpus: 8, notFree: [] };
    const open = { ...usual, awaitsAcceptance: false, cordoned: false };
    this.nodes.set(name, { ...open, ...this.nodes.get(name), ...change });
  }

  /** A run that was planned and ended now. */
  run(
    node: string,
    check: string,
    verdict: Verdict,
    more: { readonly outcome?: JudgedRun["outcome"]; readonly rule?: RuleName } = {},
  ): JudgedRun {
    this.nowMs += minuteMs;
    const { outcome = "completed", rule } = more;
    const findings =
      rule === undefined ? [] : [{ metric: "*", rule, value: null, bound: null, cohort: "" }];
    const run: JudgedRun = {
      runId: `r${this.runs.length}`,
      node,
      check,
      purpose: "routine",
      plannedAtMs: this.nowMs,
      endedAtMs: this.nowMs + 1,
      outcome,
      verdict,
      reason: `It is ${verdict}.`,
      findings,
    };
    this.nowMs += minuteMs;
    this.runs.push(run);
    this.states.add(run);
    return run;
  }

  passAll(node: string): void {
    for (const check of checks) this.run(node, check, "pass");
  }

  event(node: string, kind: NodeEvent["kind"], details: NodeEvent["details"] = {}): void {
    this.nowMs += minuteMs;
    this.events.push({ cluster: "prod", node, atMs: this.nowMs, kind, details });
    this.nowMs += minuteMs;
  }

  override(node: string, action: "hold" | "release"): void {
    this.event(node, "override", { action, reason: "I say so", actor: "ann" });
  }

  /** What is decided now. */
  decide(change: Partial<ActInput> = {}) {
    const input: ActInput = {
      nodes: [...this.nodes.values()],
      states: this.states,
      requiredChecks: checks,
      events: this.events,
      settings: this.settings,
      guard,
      nowMs: this.nowMs,
      ...change,
    };
    const decision = decideActions(input);
    deepStrictEqual(decideActions(input), decision, "the same is decided twice");
    return decision;
  }

  /** Notices what others did, decides and acts. */
  tick() {
    const nodes = [...this.nodes.values()];
    const { events, nowMs } = this;
    this.events.push(...noticedEvents({ cluster: "prod", nodes, events, nowMs }));
    const decision = this.decide();
    for (const action of decision.actions) {
      if (action.kind === "label") continue;
      const isCordon = action.kind === "cordon";
      this.setNode(action.node, { cordoned: isCordon, awaitsAcceptance: isCordon });
      const { runIds, reason, actor } = action;
      this.event(action.node, isCordon ? "cordoned" : "released", { runIds, reason, actor });
    }
    this.nowMs += 10 * minuteMs;
    return decision;
  }

  closed(): readonly string[] {
    return [...this.nodes.values()].flatMap(({ name, awaitsAcceptance }) =>
      awaitsAcceptance ? [name] : [],
    );
  }
}
