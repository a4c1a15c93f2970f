export {
  createScrubber,
  type Scrubber,
  type ScrubberOptions,
  type ScrubFinding,
  type ScrubReport,
} from "./scrubber.ts";
