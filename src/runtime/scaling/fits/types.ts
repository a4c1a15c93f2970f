/** `strong`: the same work on more devices; `weak`: the same work for each device. */
export type ScalingKind = "strong" | "weak";

/** One number of devices: how long the work took. Times of several runs make a distribution. */
export interface ScalingSample {
  readonly devices: number;
  /** One or more runs, in seconds. */
  readonly timesS: readonly number[];
  /** How much was done in one run, in any unit that all samples share. */
  readonly work: number;
}

/** From where to where a value lies with the stated confidence. */
export interface Interval {
  readonly low: number;
  readonly high: number;
}

/** One number of devices against the smallest. */
export interface CurvePoint {
  readonly devices: number;
  /** devices / devices of the smallest run. */
  readonly relativeDevices: number;
  readonly runs: number;
  /** The median of the runs. */
  readonly timeS: number;
  readonly work: number;
  /** work / timeS. */
  readonly throughput: number;
  /** Throughput against the smallest run: T(n0)/T(n) where the work is the same. */
  readonly speedUp: number;
  /** speedUp / relativeDevices; 1 is ideal. */
  readonly efficiency: number;
  /** By resampling the runs; absent where there was one run only. */
  readonly efficiencyInterval?: Interval;
}

/** Everything is relative to the smallest number of devices. */
export interface ScalingCurve {
  readonly kind: ScalingKind;
  readonly baseDevices: number;
  /** In rising order of devices. */
  readonly points: readonly CurvePoint[];
}

/** The laws a curve is compared with. */
export const scalingModels = ["linear", "amdahl", "gustafson", "usl"] as const;
export type ScalingModel = (typeof scalingModels)[number];

/** An answer, or the reason why there is none. */
export type Fitted<T> =
  | ({ readonly status: "fitted" } & T)
  | { readonly status: "inconclusive"; readonly reason: string };

/** A value that was fitted. */
export interface Parameter {
  readonly value: number;
  /** Absent where nothing could be resampled. */
  readonly interval?: Interval;
}

/** One law, fitted. `N` is devices / devices of the smallest run. */
export interface ModelFit {
  readonly model: ScalingModel;
  /** amdahl, gustafson: `s`; usl: `sigma`, `kappa`; linear: none. */
  readonly parameters: Readonly<Record<string, Parameter>>;
  /** Throughput of the smallest run by this law, of the one that was seen. */
  readonly baseShare: number;
  /** Mean and largest of |fitted - seen| / seen, of the throughput. */
  readonly errorMean: number;
  readonly errorMax: number;
  /** fitted / seen - 1 of the throughput, one for each point. */
  readonly residuals: readonly number[];
  /** The law's efficiency at each point, and where it lies. */
  readonly efficiency: readonly number[];
  readonly efficiencyInterval?: readonly Interval[];
  /** Parameters that stand at the end of what they may be: the law does not bend that way. */
  readonly atBound: readonly string[];
  /** Corrected Akaike criterion, smaller is better; absent with too few points to correct. */
  readonly aicc?: number;
}

/** Where more devices make it slower, by the universal scalability law. */
export interface Retrograde {
  /** Devices with the greatest throughput; absent where the law has none. */
  readonly devices?: number;
  /** Whether that is beyond the largest run. */
  readonly extrapolated?: boolean;
  /** Greatest throughput against the smallest run. */
  readonly speedUp?: number;
}

/** How the serial share by Karp and Flatt goes over devices, and what that says. */
export interface KarpFlatt {
  readonly points: readonly { readonly devices: number; readonly serialShare: number }[];
  readonly trend: "rising" | "flat" | "falling" | "none";
  /** The trend is that of counts from here on: below, too little is lost to tell. */
  readonly judgedFrom: number;
  /** What the trend means, in one sentence. */
  readonly reading: string;
}

/** The last number of devices that is worth it. */
export interface Knee {
  /** The first doubling beyond it gains less than `gainMin`; absent where every doubling is worth it. */
  readonly byGain?: { readonly devices: number; readonly nextGain: number };
  /** What a doubling must gain, of doubling the throughput. */
  readonly gainMin: number;
  /** Where two straight lines fit the log-log curve better than one; absent where one does. */
  readonly byResiduals?: {
    readonly devices: number;
    readonly slopeBefore: number;
    readonly slopeAfter: number;
  };
  /** Why there is no break by residuals, where that could not be decided. */
  readonly residualsReason?: string;
}

/** Which law explains the curve best. */
export interface BestModel {
  readonly model: ScalingModel;
  /** Akaike weights: how the belief is shared among the laws that could be compared. */
  readonly weights: Readonly<Partial<Record<ScalingModel, number>>>;
}

/** What a curve says, each part by itself. */
export interface ScalingFits {
  readonly models: Readonly<Record<ScalingModel, Fitted<ModelFit>>>;
  readonly best: Fitted<BestModel>;
  readonly karpFlatt: Fitted<KarpFlatt>;
  readonly retrograde: Fitted<Retrograde>;
  readonly knee: Fitted<Knee>;
  readonly confidence: {
    readonly level: number;
    readonly resamples: number;
    /** What was drawn again: whole runs, the distance of points from the law, or both, the wider of which counts. */
    readonly from: "runs" | "residuals" | "both" | "none";
  };
}
