/** Many runs, drawn by chance: what fails, how often, and the smallest plan that shows it. */
export {
  type CampaignPart,
  type CampaignRun,
  type CanaryRun,
  joinParts,
} from "./campaign-part.ts";
export {
  type CampaignResult,
  type CanaryFinding,
  campaignResult,
  type Reproducers,
  type SignatureFinding,
  type Streak,
  signaturesOf,
} from "./campaign-result.ts";
export { admitsFor, isInsideClaim } from "./claim.ts";
export type { Coverage, FaultCoverage } from "./coverage.ts";
export { campaignReport } from "./report/index.ts";
export {
  failsWith,
  makeReproducers,
  type Reproducer,
  type ReproducerOptions,
  reproducersMax,
  reproducerText,
} from "./reproducers.ts";
export {
  type CampaignOptions,
  type CampaignProgress,
  canaryAttemptsMax,
  runCampaign,
  runsMax,
  twiceEvery,
} from "./run-campaign.ts";
export { areSame, type RunSummary, summaryOf } from "./run-summary.ts";
export {
  type CampaignBook,
  checkKnown,
  type KnownRuns,
  openCampaignBook,
  RunKeeper,
} from "./store/index.ts";
export {
  canaryPlan,
  faultClasses,
  type SwarmKind,
  type SwarmPlan,
  swarmKinds,
  swarmPlan,
} from "./swarm/index.ts";
export {
  type CampaignWorker,
  createInlineWorker,
  createThreadWorker,
  serveThread,
  type ThreadWorkerOptions,
  type WorkerOrder,
} from "./workers/index.ts";
