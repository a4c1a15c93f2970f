export {
  type RunOutcome,
  runOutcomes,
  type Verdict,
  verdicts,
} from "../platform/words.ts";
export { fioProbe } from "./checks/storage-io/index.ts";
