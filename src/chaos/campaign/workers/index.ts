/** Who carries out the runs of a campaign. */
export { createInlineWorker } from "./carry-out.ts";
export type { CampaignWorker, WorkerOrder } from "./orders.ts";
export { serveThread } from "./serve-thread.ts";
export { createThreadWorker, type ThreadWorkerOptions } from "./thread-worker.ts";
