import { createRankLauncher, type RankLauncher } from "../../runtime/ranks/index.ts";
import type { Invocation } from "../invocation.ts";
import { ownProgram } from "../own-program.ts";

/** Starts this program again as ranks, with the environment of this invocation. */
export function rankLauncherOf({ clock, io }: Pick<Invocation, "clock" | "io">): RankLauncher {
  const command = [process.execPath, ownProgram()];
  return createRankLauncher({ command, clock, env: io.env });
}
