import assert from "node:assert/strict";
import type { RngStream } from "../../../../platform/rng/index.ts";
import { programXids } from "../../../fleet-log/catalogue.ts";
import { exponential, logNormal, pickWeighted } from "../../../fleet-log/chance.ts";
import { drawLemons } from "../../../fleet-log/onsets.ts";
import type { SimulatedTruth } from "../truth.ts";
import { type Defect, drawDefect, evidenceOf, showsIn, weightedKinds } from "./defect.ts";
import type { Service } from "./service.ts";
import type { SimNode } from "./sim-node.ts";
import type { Stage } from "./stage.ts";
import type { Users } from "./users.ts";

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
/** Defects of the start began at most this long before it. */
const ageAtStartDays = 5;
/** How long a node that stopped answering stays away, in the mean. */
const lossHours = 1;
const defectsKept = 10_000;

/** What goes wrong: hidden defects and the signs of them, and what only looks like one. */
export class Trouble {
  readonly #stage: Stage;
  readonly #users: Users;
  readonly #service: Service;
  readonly #lemons: readonly number[];
  readonly #others: readonly number[];
  /** The oldest that are over are forgotten. */
  #defects: Defect[] = [];
  #drawn = 0;

  constructor(stage: Stage, { users, service }: { readonly users: Users; service: Service }) {
    this.#stage = stage;
    this.#users = users;
    this.#service = service;
    const lemons = drawLemons(stage.plan.fleet, stage.rng);
    this.#lemons = stage.nodes.flatMap(({ index }) => (lemons.has(index) ? [index] : []));
    this.#others = stage.nodes.flatMap(({ index }) => (lemons.has(index) ? [] : [index]));
  }

  begin(): void {
    const { plan } = this.#stage;
    const { healthyCrashesPerHour, programEventsPerHour } = plan.fleet;
    this.#breakSome();
    this.#everySoOften("onsets", plan.fleet.defectsPer1000NodeDays / 1000, (random) => {
      this.#strike(this.#drawVictim(random), random, this.#stage.nowMs);
    });
    this.#everySoOften("crashes", 24 * healthyCrashesPerHour, (random) => {
      this.#crash(this.#anyNode(random));
    });
    this.#everySoOften("program errors", 24 * programEventsPerHour, (random) => {
      const node = this.#anyNode(random);
      const xid = random.pick(programXids);
      this.#kernelError(node, xid);
    });
    this.#everySoOften("losses", plan.lossesPer1000NodeDays / 1000, (random) => {
      this.#lose(this.#anyNode(random), exponential(random, lossHours * hourMs));
    });
    this.#everySoOften("maintenance", plan.maintenancePer1000NodeDays / 1000, (random) => {
      const node = this.#anyNode(random);
      this.#service.visit(node, { repairs: false, reason: "planned maintenance" });
    });
  }

  truth(): readonly SimulatedTruth[] {
    const byOnset = this.#defects.toSorted((a, b) => a.onsetMs - b.onsetMs);
    return byOnset.map(({ id, node, kind, onsetMs, endMs }) => {
      const { name } = this.#stage.node(node);
      return { id, node: name, kind, onsetMs, endMs, showsIn: showsIn(kind) };
    });
  }

  /** A process of the whole fleet, given as a rate per node and day. */
  #everySoOften(name: string, perNodeDay: number, act: (random: RngStream) => void): void {
    if (perNodeDay <= 0) return;
    const random = this.#stage.rng.stream(name);
    const meanMs = dayMs / (perNodeDay * this.#stage.plan.nodes);
    const awaitNext = () =>
      this.#stage.after(exponential(random, meanMs), () => {
        act(random);
        awaitNext();
      });
    awaitNext();
  }

  /** Breaks some nodes before the start, of each kind as many. */
  #breakSome(): void {
    const { plan, nodes, nowMs, rng } = this.#stage;
    if (plan.defectKinds.length === 0) return;
    const random = rng.stream("broken at the start");
    const kinds = random.shuffle(plan.defectKinds);
    const broken = random.shuffle(nodes).slice(0, Math.round(plan.defectiveShare * plan.nodes));
    for (const [at, node] of broken.entries()) {
      const onsetMs = nowMs - Math.round(random.float() * ageAtStartDays * dayMs);
      const kind = kinds[at % kinds.length];
      assert(kind !== undefined, "kinds are dealt out in turn");
      this.#addDefect(node, drawDefect(random, { ...this.#newFacts(node), kind, onsetMs }));
    }
  }

  #strike(node: SimNode, random: RngStream, onsetMs: number): void {
    const kinds = weightedKinds(this.#stage.plan.defectKinds);
    // Everything is drawn, whether or not it is of use: the next onset is the same either way.
    const kind = kinds.length === 0 ? undefined : pickWeighted(random, kinds).kind;
    if (kind === undefined) return;
    const facts = { ...this.#newFacts(node), kind, onsetMs };
    const defect = drawDefect(random, facts);
    if (node.defects.length === 0 && node.down === undefined) this.#addDefect(node, defect);
  }

  #newFacts({ index, gpus }: SimNode) {
    return { id: `d${++this.#drawn}`, node: index, gpus };
  }

  #addDefect(node: SimNode, defect: Defect): void {
    node.defects.push(defect);
    this.#defects.push(defect);
    if (this.#defects.length >= 2 * defectsKept) {
      const over = this.#defects.length - defectsKept;
      this.#defects = this.#defects.filter(({ endMs }, at) => endMs === undefined || at >= over);
    }
    this.#letShow(node, defect);
    const { repairDays } = this.#stage.plan.fleet;
    if (repairDays <= 0) return;
    const waitMs = exponential(this.#stage.rng.stream("found by others", defect.id), repairDays);
    this.#stage.after(waitMs * dayMs, () => this.#repairByOthers(node, defect));
  }

  #repairByOthers(node: SimNode, defect: Defect): void {
    if (defect.endMs !== undefined) return;
    if (this.#service.visit(node, { repairs: true, reason: "repair" })) return;
    this.#stage.after(dayMs, () => this.#repairByOthers(node, defect));
  }

  /** Lets a defect cause crashes and kernel errors while a job is on its node. */
  #letShow(node: SimNode, defect: Defect): void {
    const { rng, plan } = this.#stage;
    const random = rng.stream("evidence", defect.id);
    const kind = evidenceOf(defect.kind);
    const strength = plan.fleet.evidence * logNormal(random, 1, plan.fleet.evidenceSpread);
    if (kind === undefined) return;
    const { crashesPerBusyHour, kernelEventsPerBusyHour, xids } = kind;
    const crashes = { name: "crash", perHour: strength * crashesPerBusyHour };
    this.#whileBroken(defect, crashes, () => this.#crash(node));
    if (xids.length === 0) return;
    const errors = { name: "kernel", perHour: strength * kernelEventsPerBusyHour };
    this.#whileBroken(defect, errors, (stream) => this.#kernelError(node, stream.pick(xids)));
  }

  #whileBroken(
    defect: Defect,
    { name, perHour }: { readonly name: string; readonly perHour: number },
    act: (random: RngStream) => void,
  ): void {
    if (perHour <= 0) return;
    const random = this.#stage.rng.stream("evidence", defect.id, name);
    const awaitNext = () =>
      this.#stage.after(exponential(random, hourMs / perHour), () => {
        if (defect.endMs !== undefined) return;
        act(random);
        awaitNext();
      });
    awaitNext();
  }

  /** Lemons are as much more likely as the plan says. */
  #drawVictim(random: RngStream): SimNode {
    const weight = this.#lemons.length * this.#stage.plan.fleet.lemonFactor;
    const isLemon = random.float() * (weight + this.#others.length) < weight;
    const among = isLemon || this.#others.length === 0 ? this.#lemons : this.#others;
    return this.#stage.node(random.pick(among));
  }

  #anyNode(random: RngStream): SimNode {
    return random.pick(this.#stage.nodes);
  }

  #crash({ userJob }: SimNode): void {
    if (userJob !== undefined) this.#users.crash(userJob);
  }

  #kernelError({ name, userJob }: SimNode, xid: number): void {
    if (userJob === undefined) return;
    this.#stage.sign({ kind: "kernel", atMs: this.#stage.nowMs, node: name, xid });
  }

  #lose(node: SimNode, forMs: number): void {
    if (node.down !== undefined) return;
    node.down = "stopped answering";
    if (node.userJob !== undefined) this.#users.crash(node.userJob, { restarts: false });
    node.check?.evict(`NodeLost: node ${node.name} stopped answering`);
    this.#stage.settle(node);
    this.#stage.after(forMs, () => {
      node.down = undefined;
      this.#stage.settle(node);
    });
  }
}
