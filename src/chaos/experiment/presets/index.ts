export {
  beatsOfHeartbeat,
  checkpointDefaults,
  graceUsDefault,
  limitUsDefault,
  paceDefaults,
  probeTimeoutUsDefault,
  restartsDefault,
  timeoutDefaults,
} from "./defaults.ts";
export { type JobPresetName, jobPresetNames, jobPresets } from "./job-presets.ts";
