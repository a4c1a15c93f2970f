/** The smallest plan that fails the same way. */
export {
  type Attempt,
  type FailsHow,
  type MinimisePhase,
  minimisePhases,
} from "./attempts.ts";
export { type Minimised, type MinimiseOptions, minimise } from "./minimise.ts";
