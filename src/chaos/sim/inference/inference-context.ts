import type { ChaosPlan } from "../../plan/index.ts";
import type { SimEngine } from "../engine/index.ts";
import type { EffectBook } from "../job/effect-book.ts";
import type { EventRecorder } from "../job/event-recorder.ts";
import type { Machines } from "../machines/index.ts";
import type { Network } from "../network/index.ts";
import type { Storage } from "../storage/index.ts";

/** What the parts of a simulated inference job stand on. */
export interface InferenceContext {
  readonly plan: ChaosPlan;
  readonly engine: SimEngine;
  readonly machines: Machines;
  readonly network: Network;
  /** Nobody saves anything; faults of the store are refused. */
  readonly storage: Storage;
  readonly recorder: EventRecorder;
  readonly effects: EffectBook;
}
