export { bytesOf, type Communication, communicationOf } from "./communication.ts";
export { counterfactual, topologyKnobs } from "./counterfactual.ts";
export { expectedMax } from "./expected-max.ts";
export { groupsOf, type StepGroup } from "./groups.ts";
export { stepTime } from "./step-time.ts";
export {
  type Knob,
  knobs,
  type StepPart,
  type StepQuery,
  type StepTime,
  stepParts,
} from "./types.ts";
