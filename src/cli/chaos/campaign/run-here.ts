import type { CampaignPart, CampaignWorker } from "../../../chaos/campaign/index.ts";
import type { Invocation } from "../../invocation.ts";
import type { reporterFor } from "../../reporter.ts";
import type { KeptCampaign } from "./kept-campaign.ts";
import type { CampaignRequest } from "./request.ts";

/** Makes the runs on this machine. Those that are kept are in the store when it ends, however it ends. */
export async function runHere(
  { clock, signal }: Pick<Invocation, "clock" | "signal">,
  about: {
    readonly request: CampaignRequest;
    readonly seed: string;
    readonly workers: readonly CampaignWorker[];
    readonly kept: KeptCampaign | undefined;
    readonly reporter: Pick<ReturnType<typeof reporterFor>, "onProgress">;
  },
): Promise<CampaignPart> {
  const { request, seed, workers, kept, reporter } = about;
  const { from, to, timeBoxMs } = request;
  const { RunKeeper, runCampaign } = await import("../../../chaos/campaign/index.ts");
  const keeper = kept === undefined ? undefined : new RunKeeper(kept.book);
  try {
    return await runCampaign({
      seed,
      from,
      to,
      ...(timeBoxMs === undefined ? {} : { timeBoxMs }),
      workers,
      clock,
      signal,
      ...(kept === undefined ? {} : { known: kept.known }),
      onRun: async (run) => keeper?.addRun(run),
      onCanary: async (canary) => keeper?.addCanary(canary),
      onProgress: ({ done, failed, simulatedSeconds }) => {
        const note = `${failed} failed, ${simulatedSeconds.toFixed(0)} s simulated`;
        const total = timeBoxMs === undefined ? { total: to - from } : {};
        reporter.onProgress({ id: "runs", done, ...total, note });
      },
    });
  } finally {
    await keeper?.flush();
  }
}
