import { access } from "node:fs/promises";
import { messageOf, TesseraError } from "../../platform/errors/index.ts";
import { ensureDir } from "../../platform/files/index.ts";
import type { Logger } from "../../platform/log/index.ts";
import type { Clock } from "../../platform/time/index.ts";
import type { Collect } from "../batch/index.ts";
import { collectFiles } from "../collect/index.ts";
import type { ClusterEntry, ClusterPlaces } from "../resolve-settings.ts";

const toldMax = 10_000;

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
  // Where jobs run as this user; a volume of Kubernetes is mounted by somebody else.
  if (entry.kind !== "kubernetes") await ensureDir(root, { mode: 0o700 });
  const told = new Set<string>();
  const tell = (found: { readonly path: string; readonly runId: string }, problem: string) => {
    const key = `${found.path} ${problem}`;
    if (told.has(key) || told.size >= toldMax) return;
    told.add(key);
    log.warn({ path: found.path, run: found.runId }, problem);
  };
  return async (open) => {
    // A volume that is away must not look like runs without a result.
    await access(root).catch((error: unknown) => {
      throw new TesseraError("E_FILE_READ", { path: root, problem: messageOf(error) });
    });
    const runs = open.map(({ intent }) => intent);
    const { results, refusals, unread } = await collectFiles({ root, runs, secret, clock });
    for (const found of refusals) tell(found, `a result file is refused: ${found.reason}`);
    // One file that stays unreadable must not keep its run open for ever: it gets the usual grace,
    // and counts when it can be read later.
    for (const found of unread) tell(found, `a result file cannot be read: ${found.reason}`);
    return results;
  };
}
