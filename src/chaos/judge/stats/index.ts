export { clopperPearson, type Interval, provenRate } from "./clopper-pearson.ts";
export { type Duration, kaplanMeier, type Survival, type SurvivalPoint } from "./kaplan-meier.ts";
export { medianOf, quantile, robustVariation } from "./quantile.ts";
export { type Slope, theilSen } from "./theil-sen.ts";
