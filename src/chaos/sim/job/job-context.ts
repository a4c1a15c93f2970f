import type { JobBytes, Numerics } from "../../numerics/index.ts";
import type { ChaosPlan, TrainingWorkload } from "../../plan/index.ts";
import type { SimEngine } from "../engine/index.ts";
import type { Machines } from "../machines/index.ts";
import type { Network } from "../network/index.ts";
import type { Storage } from "../storage/index.ts";
import type { EffectBook } from "./effect-book.ts";
import type { EventRecorder } from "./event-recorder.ts";

/** What all parts of a simulated training job stand on. */
export interface JobContext {
  readonly plan: ChaosPlan;
  readonly workload: TrainingWorkload;
  readonly engine: SimEngine;
  readonly machines: Machines;
  readonly network: Network;
  readonly storage: Storage;
  readonly numerics: Numerics;
  readonly bytes: JobBytes;
  readonly recorder: EventRecorder;
  readonly effects: EffectBook;
}
