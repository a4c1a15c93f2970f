export { compareValue, type ProbeFinding } from "./compare.ts";
export { createProbes, type Probes, type ProbesOptions } from "./create-probes.ts";
export { isOutside, type OutsideProbe } from "./outside-probe.ts";
