import { createHash } from "node:crypto";
import type { ChanceStream } from "../../chance/index.ts";
import type { InferenceWorkload } from "../../plan/index.ts";
import type { EventKind } from "../engine/index.ts";
import type { InferenceContext } from "./inference-context.ts";
import { Replicas } from "./replicas.ts";

/** What a campaign should see at least once; the words of `sometimes` events of a simulated inference job. */
export const inferenceMarks = [
  "a request was tried again",
  "a request was given up",
  "a replica was given up and started again",
  "nobody was there for a request",
] as const;

interface OpenRequest {
  readonly arrivedUs: number;
  attempts: number;
  slot: number;
}

const requestBytes = 1024;
const usPerSecond = 1e6;
const stepsMax = 256;
/** Timeouts in a row after which a replica is given up. */
const timeoutsMax = 2;

/**
 * Hands requests to replicas, each to the one with the fewest open ones, and again to another one when no
 * answer comes in time. An answer follows from the request alone.
 */
export class Router {
  readonly replicas: Replicas;
  readonly #context: InferenceContext;
  readonly #workload: InferenceWorkload;
  readonly #arrivals: ChanceStream;
  readonly #open = new Map<number, OpenRequest>();
  readonly #answers: (string | null)[];
  readonly #load: Int32Array;
  readonly #isReady: Uint8Array;
  readonly #timeouts: Int32Array;
  readonly #answeredUs: Float64Array;
  readonly #stepUnits: number;
  readonly #arrive: EventKind;
  readonly #reach: EventKind;
  readonly #answer: EventKind;
  readonly #late: EventKind;
  readonly #hello: EventKind;
  readonly #onStep: (step: number) => void;
  #arrived = 0;
  #settled = 0;
  #answeredInStep = 0;
  #step = 0;
  #generation = 1;
  #turn = 0;

  constructor(
    context: InferenceContext,
    workload: InferenceWorkload,
    onStep: (step: number) => void,
  ) {
    const { engine } = context;
    this.#context = context;
    this.#workload = workload;
    this.#onStep = onStep;
    this.#arrivals = engine.chance.stream("arrivals");
    this.#answers = Array.from({ length: workload.requests }, () => null);
    this.#load = new Int32Array(workload.replicas);
    this.#isReady = new Uint8Array(workload.replicas);
    this.#timeouts = new Int32Array(workload.replicas);
    this.#answeredUs = new Float64Array(workload.replicas);
    this.#stepUnits = Math.ceil(workload.requests / stepsMax);
    this.#arrive = engine.kind("router.arrive", () => this.#onArrive());
    this.#reach = engine.kind("router.reach", (id, attempt) => this.#onReach(id, attempt));
    this.#answer = engine.kind("router.answer", (id, attempt) => this.#onAnswer(id, attempt));
    this.#late = engine.kind("router.late", (id, attempt) => this.#onLate(id, attempt));
    this.#hello = engine.kind("router.hello", (slot) => this.#onHello(slot));
    this.replicas = new Replicas(context, workload, {
      answers: (slot, id, attempt) =>
        this.#send(slot, this.#context.network.controller, {
          kind: this.#answer,
          a: id,
          b: attempt,
        }),
      ended: (slot, how) => this.#ended(slot, how),
      ready: (slot) =>
        this.#send(slot, this.#context.network.controller, {
          kind: this.#hello,
          a: slot,
          b: 0,
        }),
    });
  }

  start(): void {
    for (let slot = 0; slot < this.#workload.replicas; slot++) this.replicas.start(slot);
  }

  #send(
    from: number,
    to: number,
    { kind, a, b }: { readonly kind: EventKind; readonly a: number; readonly b: number },
  ): void {
    const { network, effects } = this.#context;
    const isWatched = effects.isWatching("links");
    const { held } = network;
    const usualUs = isWatched ? network.stateOf(from, to) : null;
    const isSent = network.send(from, to, requestBytes, kind, a, b);
    if (usualUs === null) return;
    if (!isSent || network.held > held) {
      effects.sawBetween([from, to], `a message from ${from} to ${to} did not get through`);
    } else {
      const { latencyUs, loss } = usualUs;
      const sentence = `a message from ${from} to ${to} took ${latencyUs} us, ${100 * loss} % lost`;
      effects.sawBetween([from, to], sentence);
    }
  }

  #onHello(slot: number): void {
    const { recorder, engine } = this.#context;
    if (this.#isReady[slot] === 1) return;
    this.#isReady[slot] = 1;
    this.#timeouts[slot] = 0;
    this.#load[slot] = 0;
    const ready = this.#isReady.reduce((sum, one) => sum + one, 0);
    const { replicas } = this.#workload;
    if (this.#arrived === 0 && this.#generation === 1) {
      if (ready < replicas) return;
      this.#newGeneration("the job starts", ready);
      this.#onStep(1);
      engine.after(this.#gapUs(), this.#arrive);
      return;
    }
    this.#generation++;
    this.#newGeneration(`replica ${slot} is back`, ready);
    if (recorder.end === null) this.#retryWaiting();
  }

  #newGeneration(reason: string, ranks: number): void {
    const generation = this.#generation;
    this.#context.recorder.record({ kind: "generation", generation, ranks, dp: ranks, reason });
  }

  #gapUs(): number {
    return Math.max(
      1,
      Math.round(this.#arrivals.exponential(usPerSecond / this.#workload.ratePerS)),
    );
  }

  #onArrive(): void {
    const { engine } = this.#context;
    const id = this.#arrived++;
    this.#open.set(id, { arrivedUs: engine.nowUs, attempts: 0, slot: -1 });
    this.#dispatch(id);
    if (this.#arrived < this.#workload.requests) engine.after(this.#gapUs(), this.#arrive);
  }

  #dispatch(id: number): void {
    const request = this.#open.get(id);
    if (request === undefined) return;
    const { engine, network, recorder } = this.#context;
    const slot = this.#choose(request.slot);
    request.attempts++;
    engine.after(this.#workload.requestTimeoutUs, this.#late, id, request.attempts);
    request.slot = slot;
    if (slot < 0) {
      recorder.mark("nobody was there for a request");
      return;
    }
    this.#load[slot] = (this.#load[slot] as number) + 1;
    this.#send(network.controller, slot, { kind: this.#reach, a: id, b: request.attempts });
  }

  /** Ready, with the fewest open requests, and another one than before where there is a choice; -1: none. */
  #choose(before: number): number {
    const { replicas } = this.#workload;
    let best = -1;
    for (let at = 0; at < replicas; at++) {
      const slot = (this.#turn + at) % replicas;
      if (this.#isReady[slot] !== 1 || slot === before) continue;
      if (best < 0 || (this.#load[slot] as number) < (this.#load[best] as number)) best = slot;
    }
    this.#turn = (this.#turn + 1) % replicas;
    return best < 0 && before >= 0 && this.#isReady[before] === 1 ? before : best;
  }

  /** Requests that found nobody. */
  #retryWaiting(): void {
    for (const [id, request] of this.#open) {
      if (request.slot >= 0) continue;
      request.attempts--;
      this.#dispatch(id);
    }
  }

  #onReach(id: number, attempt: number): void {
    const request = this.#open.get(id);
    if (request === undefined || request.attempts !== attempt) return;
    this.replicas.takes(request.slot, id, attempt);
  }

  #onAnswer(id: number, attempt: number): void {
    const request = this.#open.get(id);
    if (request === undefined || request.attempts < attempt) return;
    if (request.slot >= 0) {
      this.#timeouts[request.slot] = 0;
      this.#answeredUs[request.slot] = this.#context.engine.nowUs;
    }
    this.#answers[id] = answerOf(this.#workload.seed, id);
    this.#settle(id, request, true);
  }

  #onLate(id: number, attempt: number): void {
    const request = this.#open.get(id);
    if (request === undefined || request.attempts !== attempt) return;
    const { recorder } = this.#context;
    if (request.slot >= 0) this.#missed(request.slot);
    if (request.attempts >= this.#workload.attemptsMax) {
      recorder.mark("a request was given up");
      this.#settle(id, request, false);
      return;
    }
    recorder.mark("a request was tried again");
    this.#release(request.slot);
    this.#dispatch(id);
  }

  /** A replica that answers nobody is given up and started again; one that answers others is only slow. */
  #missed(slot: number): void {
    const silentUs = this.#context.engine.nowUs - (this.#answeredUs[slot] as number);
    if (silentUs < this.#workload.requestTimeoutUs) return;
    const missed = (this.#timeouts[slot] as number) + 1;
    this.#timeouts[slot] = missed;
    if (missed < timeoutsMax || this.#isReady[slot] !== 1) return;
    this.#lose(slot, "progress", `replica ${slot} did not answer ${missed} requests in a row`);
    this.#context.recorder.mark("a replica was given up and started again");
    this.replicas.restart(slot);
  }

  #ended(slot: number, how: string): void {
    if (this.#isReady[slot] === 1) this.#lose(slot, "exit", `replica ${slot} ended: ${how}`);
    this.replicas.start(slot);
  }

  #lose(slot: number, by: "exit" | "progress", reason: string): void {
    const { recorder } = this.#context;
    this.#isReady[slot] = 0;
    this.#load[slot] = 0;
    recorder.record({ kind: "detect", by, ranks: [slot], reason });
    recorder.record({ kind: "isolate", ranks: [slot] });
  }

  #release(slot: number): void {
    if (slot >= 0) this.#load[slot] = Math.max(0, (this.#load[slot] as number) - 1);
  }

  #settle(id: number, request: OpenRequest, ok: boolean): void {
    const { recorder, engine } = this.#context;
    this.#open.delete(id);
    this.#release(request.slot);
    const latencyUs = engine.nowUs - request.arrivedUs;
    recorder.record({ kind: "request", id, ok, latencyUs });
    this.#settled++;
    if (ok) this.#answeredInStep++;
    const isLast = this.#settled === this.#workload.requests;
    if (this.#answeredInStep === this.#stepUnits || (isLast && this.#answeredInStep > 0)) {
      this.#endStep();
    }
    if (isLast) recorder.record({ kind: "finish", stateDigest: this.#digest() });
  }

  #endStep(): void {
    this.#step++;
    const units = this.#answeredInStep;
    this.#answeredInStep = 0;
    const generation = this.#generation;
    this.#context.recorder.record({ kind: "step", generation, step: this.#step, units });
    this.#onStep(this.#step + 1);
  }

  /** Of all answers in the order of their requests. */
  #digest(): string {
    const hash = createHash("sha256");
    for (const [id, answer] of this.#answers.entries()) hash.update(`${id} ${answer ?? "none"}\n`);
    return `sha256:${hash.digest("hex")}`;
  }
}

/** What any replica answers. */
function answerOf(seed: string, id: number): string {
  return createHash("sha256")
    .update(JSON.stringify([seed, id]))
    .digest("hex")
    .slice(0, 16);
}
