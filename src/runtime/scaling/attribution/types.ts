import type { Knob, StepTime } from "../step/types.ts";

/** Where the time of one step goes that is not perfect computation. */
export interface Attribution {
  readonly devices: number;
  readonly step: StepTime;
  /** The step with every cause taken away. */
  readonly idealS: number;
  /** step - ideal. */
  readonly lostS: number;
  /** Seconds by cause, by Shapley over all causes; they add up to `lostS`. */
  readonly causesS: Readonly<Record<Knob, number>>;
  /** What the step gains when this cause alone is taken away. */
  readonly aloneS: Readonly<Record<Knob, number>>;
  readonly bottleneck: Bottleneck;
}

/** The one thing to name. */
export interface Bottleneck {
  /** `compute` where too little is lost to name a cause. */
  readonly cause: Knob | "compute";
  readonly label: string;
  /** Of the time that is lost, or lost more; of the step for `compute`. */
  readonly share: number;
  /** What it was named for: what is lost, or what is lost more than with the count that loses least. */
  readonly of: "loss" | "growth";
  /** With `growth`: the devices of that count, the smallest in most cases. */
  readonly from?: number;
  /** What would help, in one sentence. */
  readonly help: string;
}
