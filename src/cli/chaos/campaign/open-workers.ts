import type { CampaignWorker } from "../../../chaos/campaign/index.ts";
import type { Trial } from "../../../chaos/journal/index.ts";
import { ownProgram } from "../../own-program.ts";

/** Plans tried in the simulator, each beside the same without faults. */
export async function openTrial(): Promise<Trial> {
  const [{ createTrial }, { judge }, { createSimWorld }] = await Promise.all([
    import("../../../chaos/journal/index.ts"),
    import("../../../chaos/judge/index.ts"),
    import("../../../chaos/sim/index.ts"),
  ]);
  return createTrial({ world: createSimWorld(), judge });
}

/** One worker works here; more work in threads, which are this program once more. */
export async function openWorkers(
  count: number,
  trial: Trial,
  signal: AbortSignal,
): Promise<readonly CampaignWorker[]> {
  const { createInlineWorker, createThreadWorker } = await import(
    "../../../chaos/campaign/index.ts"
  );
  if (count === 1) return [createInlineWorker(trial, signal)];
  const how = { program: ownProgram(), args: ["agent", "campaign-worker"] };
  return Array.from({ length: count }, () => createThreadWorker(how));
}
