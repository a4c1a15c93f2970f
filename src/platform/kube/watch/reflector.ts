import assert from "node:assert/strict";
import { sleep, type Timer, withDeadline } from "../../time/index.ts";
import type { Selection } from "../client-options.ts";
import { kubeFailureOf } from "../http/failure.ts";
import { linkAbort } from "../http/linked-abort.ts";
import { listAll } from "../list-all.ts";
import { Subscribers } from "../subscribers.ts";
import type { KubeObject } from "../types.ts";
import { backoffMs, type NextStep, nextStep, stepAfterFailedList } from "./next-step.ts";
import {
  type Freshness,
  type ReflectorCounts,
  type ReflectorEvent,
  type ReflectorOptions,
  reflectorDefaults,
} from "./reflector-options.ts";
import { Trust } from "./trust.ts";
import { objectKey, View, type ViewChange, viewItem } from "./view.ts";
import type { WatchEvent } from "./watch-event.ts";
import { runWatch, type WatchEnd } from "./watch-session.ts";

/**
 * A resumed watch counts only after this long, or with its first bookmark: a server may accept it
 * and then say that it is too old. One that ends sooner without a word is a failure.
 */
const settleMs = 1_000;

type Resolved<Source extends KubeObject, T> = ReflectorOptions<Source, T> &
  Required<Pick<ReflectorOptions<Source, T>, keyof typeof reflectorDefaults>>;

/**
 * Keeps a view of the objects of one type by listing once and watching from there, through every
 * kind of outage. Says at any time how far the view can be trusted; see `freshness`.
 */
export class Reflector<T, Source extends KubeObject = KubeObject> {
  readonly #options: Resolved<Source, T>;
  readonly #view = new View<T>();
  readonly #trust: Trust;
  readonly #subscribers = new Subscribers<ReflectorEvent<T>>();
  readonly #stopping = new AbortController();
  readonly #counts = { lists: 0, watches: 0, events: 0, failures: 0 };
  #loop: Promise<void> | undefined;
  #resourceVersion: string | undefined;
  #failuresInARow = 0;
  #settling: Timer | undefined;

  constructor(options: ReflectorOptions<Source, T>) {
    this.#options = { ...reflectorDefaults, ...options };
    this.#trust = new Trust(this.#options);
  }

  /** The view, by `namespace/name` or `name`. Changes as the cluster does; copy it to keep it. */
  get objects(): ReadonlyMap<string, T> {
    return this.#view.objects;
  }

  get counts(): ReflectorCounts {
    return { ...this.#counts };
  }

  /** How far the view can be trusted now. Looks at the clock, so a paused process is not fooled. */
  get freshness(): Freshness {
    return this.#trust.freshness(this.#stopping.signal.aborted);
  }

  /** Begins to list and watch. */
  start(): this {
    assert(this.#loop === undefined, "a reflector starts once");
    this.#loop = this.#run();
    return this;
  }

  /** Ends the watch; the view stays as it is and is never live again. */
  async stop(): Promise<void> {
    this.#stopping.abort(new Error("the reflector was stopped"));
    await this.#loop;
    this.#subscribers.clear();
  }

  /** Calls back for every change from now on, after the view has changed. Returns how to stop it. */
  subscribe(listener: (event: ReflectorEvent<T>) => void): () => void {
    return this.#subscribers.add(listener);
  }

  /**
   * Waits until the view is live and `predicate` holds for it.
   *
   * @throws TesseraError E_TIMEOUT; the signal's reason; an error when the reflector is stopped.
   */
  waitFor(
    predicate: (objects: ReadonlyMap<string, T>) => boolean,
    options: { readonly timeoutMs: number; readonly what?: string; readonly signal?: AbortSignal },
  ): Promise<void> {
    const { type, clock } = this.#options;
    const { timeoutMs, what = `The wait for ${type.plural}` } = options;
    const { signal, release } = linkAbort(this.#stopping.signal, options.signal);
    let unsubscribe = () => {};
    const wait = () =>
      new Promise<void>((resolve, reject) => {
        const check = () => {
          try {
            if (this.freshness.state === "live" && predicate(this.objects)) resolve();
          } catch (error) {
            reject(error);
          }
        };
        unsubscribe = this.subscribe(check);
        check();
      });
    return withDeadline({ clock, timeoutMs, what, signal }, wait).finally(() => {
      unsubscribe();
      release();
    });
  }

  /** Waits until the view is live. */
  waitForSync(options: {
    readonly timeoutMs: number;
    readonly signal?: AbortSignal;
  }): Promise<void> {
    return this.waitFor(() => true, {
      what: `The first list of ${this.#options.type.plural}`,
      ...options,
    });
  }

  async #run(): Promise<void> {
    const { signal } = this.#stopping;
    let relist = true;
    while (!signal.aborted) {
      try {
        // After a long silence only a list proves that the view is current: a resumed watch that
        // stays quiet would not say so for another minute.
        const mustList = relist || this.#trust.silent;
        const step: NextStep = mustList ? await this.#list() : await this.#watch();
        relist = step.relist;
        await this.#wait(step);
      } catch (error) {
        if (!signal.aborted) throw error;
      }
    }
  }

  async #list(): Promise<NextStep> {
    const { client, type, project, pageSize, itemsMax } = this.#options;
    const { signal } = this.#stopping;
    this.#trust.connected = false;
    try {
      const { items, resourceVersion } = await listAll(client, type, {
        ...selectionOf(this.#options),
        project: (object: Source) => viewItem(object, project),
        pageSize,
        itemsMax,
        signal,
      });
      this.#counts.lists++;
      this.#resourceVersion = resourceVersion;
      const changes = this.#view.replace(items);
      this.#trust.hear();
      this.#backInSync(changes);
      return { relist: false, wait: "none" };
    } catch (error) {
      signal.throwIfAborted();
      this.#fail(asError(error));
      this.#failuresInARow++;
      return stepAfterFailedList(kubeFailureOf(error)?.retryAfterMs);
    }
  }

  async #watch(): Promise<NextStep> {
    const { client, type, clock, random, watchSeconds, idleTimeoutMs, lineBytesMax } =
      this.#options;
    const { signal } = this.#stopping;
    assert(this.#resourceVersion !== undefined, "a list comes before a watch");
    const startedMs = clock.monotonicMs();
    const eventsBefore = this.#counts.events;
    const end = await runWatch({
      client,
      type,
      selection: selectionOf(this.#options),
      resourceVersion: this.#resourceVersion,
      timeoutSeconds: Math.ceil(watchSeconds * (1 + random.float() / 2)),
      idleTimeoutMs,
      lineBytesMax,
      clock,
      signal,
      onOpen: () => this.#opened(),
      onEvent: (event) => this.#apply(event),
    }).catch((error: unknown): WatchEnd => {
      // An object that `project` cannot read must not end the process: the view is stale and says why.
      signal.throwIfAborted();
      return { kind: "failed", error: asError(error) };
    });
    this.#settling?.cancel();
    const healthy =
      this.#counts.events > eventsBefore || clock.monotonicMs() - startedMs >= settleMs;
    if (end.kind === "ended" && healthy) {
      this.#failuresInARow = 0;
      this.#trust.hear();
    } else {
      this.#failuresInARow = healthy ? 1 : this.#failuresInARow + 1;
      this.#fail(errorOf(end));
    }
    return nextStep(end, this.#failuresInARow);
  }

  #opened(): void {
    this.#counts.watches++;
    // Right after a list the view has not stopped being live.
    if (this.#trust.connected) this.#trust.hear();
    else this.#settling = this.#options.clock.setTimer(settleMs, () => this.#settled());
  }

  /** The resumed watch has held: nothing was missed. */
  #settled(): void {
    this.#settling?.cancel();
    this.#trust.hear();
    if (!this.#trust.connected) this.#backInSync([]);
  }

  #apply(event: Exclude<WatchEvent, { type: "ERROR" }>): void {
    const changes = this.#change(event);
    this.#resourceVersion =
      event.type === "BOOKMARK" ? event.resourceVersion : event.object.metadata.resourceVersion;
    this.#counts.events++;
    this.#failuresInARow = 0;
    this.#trust.forgive();
    if (event.type === "BOOKMARK") this.#settled();
    else this.#trust.hear();
    for (const change of changes) this.#subscribers.tell(change);
  }

  #change(event: Exclude<WatchEvent, { type: "ERROR" }>): readonly ViewChange<T>[] {
    if (event.type === "BOOKMARK") return [];
    if (event.type === "DELETED") return this.#view.delete(objectKey(event.object.metadata));
    return this.#view.set(viewItem(event.object as Source, this.#options.project));
  }

  #backInSync(changes: readonly ViewChange<T>[]): void {
    this.#trust.connected = true;
    for (const change of changes) this.#subscribers.tell(change);
    this.#subscribers.tell({ type: "synced" });
  }

  #fail(error: Error): void {
    this.#counts.failures++;
    this.#trust.fail(error);
    this.#options.onFailure?.(error);
  }

  async #wait({ wait }: NextStep): Promise<void> {
    if (wait === "none") return;
    const { clock, random, backoff } = this.#options;
    const delayMs =
      wait === "backoff" ? backoffMs(this.#failuresInARow, random, backoff) : wait.afterMs;
    await sleep(clock, delayMs, this.#stopping.signal);
  }
}

/** A reflector; call `start()` to begin. */
export function createReflector<T, Source extends KubeObject = KubeObject>(
  options: ReflectorOptions<Source, T>,
): Reflector<T, Source> {
  return new Reflector(options);
}

function selectionOf({ namespace, labelSelector, fieldSelector }: Selection): Selection {
  return {
    ...(namespace === undefined ? {} : { namespace }),
    ...(labelSelector === undefined ? {} : { labelSelector }),
    ...(fieldSelector === undefined ? {} : { fieldSelector }),
  };
}

function asError(thrown: unknown): Error {
  return thrown instanceof Error ? thrown : new Error(String(thrown));
}

function errorOf(end: WatchEnd): Error {
  if (end.kind === "failed") return end.error;
  return new Error(
    end.kind === "expired" ? "the watch is too old to go on (410)" : "the watch ended at once",
  );
}
