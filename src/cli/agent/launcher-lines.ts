import { type ExitCode, exitCodes } from "../../platform/errors/index.ts";
import type { RankTaskContext } from "../../runtime/ranks/index.ts";
import { failedMessage } from "../../runtime/ranks/launch/failed-message.ts";
import { type StepMessage, toRankLines } from "../../runtime/ranks/slurm/index.ts";
import type { CommandIo } from "../invocation.ts";
import { writeLine } from "../output.ts";

/** Tells the launcher something, for a rank whose output srun carries to it; undefined for others. */
export function launcherLines({
  env,
  stdout,
}: Pick<CommandIo, "env" | "stdout">): ((message: StepMessage) => void) | undefined {
  if (env["TESSERA_RANK_LINES"] !== "1") return undefined;
  return (message) => {
    for (const line of toRankLines(message)) writeLine(stdout, line);
  };
}

/** Carries a rank's work out and hands in what came of it; the launcher judges it. */
export async function workForLauncher(
  work: (report: Pick<RankTaskContext, "report">) => Promise<unknown>,
  options: {
    readonly tell: (message: StepMessage) => void;
    readonly env: CommandIo["env"];
  },
): Promise<ExitCode> {
  const { tell, env } = options;
  tell({ type: "here", node: env["SLURMD_NODENAME"] ?? "" });
  try {
    const value = await work({ report: (report) => tell({ type: "report", report }) });
    tell({ type: "completed", value: value ?? null });
    return exitCodes.good;
  } catch (error) {
    tell(failedMessage(error));
    return exitCodes.failed;
  }
}
