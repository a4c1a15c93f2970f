import assert from "node:assert/strict";
import { createRng, type Rng } from "../../../../platform/rng/index.ts";
import type { Sign } from "../../cluster.ts";
import type { SimulatedPlan } from "../options.ts";
import { Agenda } from "./agenda.ts";
import { IndexSet } from "./index-set.ts";
import { SimNode } from "./sim-node.ts";

const signsMax = 10_000;

/** What all parts of the simulated world share: nodes, time, what is to happen, what can be seen. */
export class Stage {
  readonly plan: SimulatedPlan;
  readonly rng: Rng;
  readonly nodes: readonly SimNode[];
  readonly agenda = new Agenda();
  /** Nodes a user's job may take, without a check on them and with one. */
  readonly idle: IndexSet;
  readonly underTest: IndexSet;
  /** Called when a check may begin on a node. */
  onOpen: (node: SimNode) => void = () => {};
  nowMs: number;
  #signs: Sign[] = [];
  #changes = 0;

  constructor(plan: SimulatedPlan) {
    this.plan = plan;
    this.rng = createRng(plan.fleet.seed);
    this.nowMs = plan.startAtMs;
    this.nodes = Array.from({ length: plan.nodes }, (_, index) => makeNode(plan, index));
    this.idle = new IndexSet(plan.nodes);
    this.underTest = new IndexSet(plan.nodes);
    for (const { index } of this.nodes) this.idle.set(index, true);
  }

  /** Grows whenever anything visible changes. */
  get changes(): number {
    return this.#changes;
  }

  /** Lets something happen after a while; times are whole milliseconds. */
  after(delayMs: number, act: () => void): void {
    assert(delayMs >= 0, "nothing happens in the past");
    this.agenda.add(this.nowMs + Math.round(delayMs), act);
  }

  node(index: number): SimNode {
    const node = this.nodes[index];
    assert(node !== undefined, "a node of this cluster");
    return node;
  }

  /** Takes note that something visible changed. */
  changed(): void {
    this.#changes++;
  }

  /** Takes note that a node changed, and lets go on what waited for that. */
  settle(node: SimNode): void {
    node.touch();
    this.changed();
    this.idle.set(node.index, node.isOpenToUsers && node.check === undefined);
    this.underTest.set(node.index, node.isOpenToUsers && node.check !== undefined);
    const begin = node.whenIdle;
    if (begin !== undefined && node.isIdle && node.down === undefined) {
      node.whenIdle = undefined;
      begin();
    } else if (node.isOpenToChecks) this.onOpen(node);
  }

  sign(sign: Sign): void {
    this.#signs.push(sign);
    // In two steps, so that a long silence of the reader costs nothing each time.
    if (this.#signs.length >= 2 * signsMax) this.#signs = this.#signs.slice(-signsMax);
    this.changed();
  }

  takeSigns(): readonly Sign[] {
    const signs = this.#signs.slice(-signsMax);
    this.#signs = [];
    return signs;
  }
}

function makeNode({ gpusPerNode, nodesPerRack, sku }: SimulatedPlan, index: number): SimNode {
  return new SimNode({
    index,
    name: `sim-${String(index + 1).padStart(4, "0")}`,
    rack: `rack-${String(Math.floor(index / nodesPerRack) + 1).padStart(2, "0")}`,
    sku,
    gpus: gpusPerNode,
  });
}
