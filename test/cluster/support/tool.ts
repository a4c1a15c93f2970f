import { join } from "node:path";
import { repositoryRoot } from "../machine/repository.ts";
import { type RunResult, run } from "../machine/run.ts";

/** Runs `npm run cluster -- ...` as a user would, without bringing dist/ up to date first. */
export function clusterTool(
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<RunResult> {
  const root = repositoryRoot();
  const program = [join(root, "scripts", "ts.mjs"), join("test", "cluster", "main.ts")];
  return run(process.execPath, [...program, ...args], {
    cwd: root,
    timeoutMs: 300_000,
    env: { ...process.env, ...env },
  });
}
