/** Campaigns in the store: each run once, so that one that was interrupted goes on where it was. */
export {
  type CampaignBook,
  campaignsMax,
  type KnownRuns,
  openCampaignBook,
} from "./campaign-book.ts";
export { checkKnown } from "./check-known.ts";
export { RunKeeper } from "./run-keeper.ts";
