import { access } from "node:fs/promises";
import { messageOf, TesseraError } from "../../platform/errors/index.ts";
import { ensureDir } from "../../platform/files/index.ts";
import type { Logger } from "../../platform/log/index.ts";
import type { Clock } from "../../platform/time/index.ts";
import type { Collect } from "../batch/index.ts";
import { collectFiles } from "../collect/index.ts";
import type { ClusterEntry, ClusterPlaces } from "../resolve-settings.ts";

const refusalsMax = 10_000;

/**
 * Looks for result files in the log tree of a cluster; undefined where jobs write none.
 *
 * @throws E_FILE_WRITE when the tree of this machine cannot be made.
 */
export async function collectorOf(
  entry: ClusterEntry,
  options: {
    readonly places: ClusterPlaces;
    readonly secret: string;
    readonly clock: Clock;
    readonly log: Pick<Logger, "warn">;
  },
): Promise<Collect | undefined> {
  const { secret, clock, log } = options;
  const root = options.places.resultsDir;
  if (entry.kind === "simulated") return undefined;
  if (entry.kind === "kubernetes" && entry.results === undefined) return undefined;
  if (entry.kind === "local") await ensureDir(root, { mode: 0o700 });
  const refused = new Set<string>();
  return async (open) => {
    // A volume that is away must not look like runs without a result.
    await access(root).catch((error: unknown) => {
      throw new TesseraError("E_FILE_READ", { path: root, problem: messageOf(error) });
    });
    const runs = open.map(({ intent }) => intent);
    const { results, refusals } = await collectFiles({ root, runs, secret, clock });
    for (const { path, reason, runId } of refusals) {
      if (refused.has(path) || refused.size >= refusalsMax) continue;
      refused.add(path);
      log.warn({ path, run: runId }, `a result file is refused: ${reason}`);
    }
    return results;
  };
}
