import type { State } from "../checkpoint/state.ts";
import type { DistTensor, Mesh } from "../dist/index.ts";
import type { StepReport } from "./options.ts";

/** A run of training on the devices of a mesh. */
export interface TrainingJob {
  readonly mesh: Mesh;
  /** Steps done. */
  readonly stepsDone: number;
  /** All parameters by name, as they lie on the mesh. Along `pp` those of the stage that owns them. */
  readonly parameters: Readonly<Record<string, DistTensor>>;
  /**
   * One step of training. Steps do not overlap: one that is still running is waited for.
   *
   * @throws (rejects) what the devices throw, unchanged: E_DEVICE_LOST, E_PARTITION, E_DESYNC, …; the
   *   reason of the signal; what a hook throws. The job is then as it was before the step.
   */
  step(): Promise<StepReport>;
  /** All that a later run needs to go on as if nothing had happened; for `checkpoint.save`. */
  state(): TrainingState;
  /**
   * Goes on from a state, of whichever mesh it was. Tensors that lie on this mesh in this job's
   * layout are taken device by device, differing replicas included.
   *
   * @throws E_SHAPE for a state of another job; nothing has changed then.
   */
  restore(state: State): void;
  /** `sha256:…` over names and digests of all parameters; the same for every layout. */
  digest(): string;
  /** The digest of each parameter. */
  digests(): Readonly<Record<string, string>>;
}

/** The state of a job; `State` of a checkpoint with these names at the top. */
export interface TrainingState extends State {
  readonly step: number;
  readonly model: Readonly<Record<string, DistTensor>>;
  /** AdamW: `means` and `squares`; SGD with momentum: `velocities`; each by parameter. */
  readonly optimizer: Readonly<Record<string, Readonly<Record<string, DistTensor>> | number>>;
  readonly rng: { readonly seed: string; readonly drawn: number };
  readonly data: { readonly epoch: number; readonly position: number; readonly seed: string };
  readonly hyper: { readonly lossScale: number; readonly goodSteps: number };
}
