import { TesseraError } from "../../platform/errors/index.ts";
import { isLoopback } from "../../platform/http/index.ts";
import { endsWithUs } from "../clusters/cluster.ts";
import type { ClusterEntry, ClusterPlaces } from "../resolve-settings.ts";

/**
 * Where the jobs of a cluster post their results, without a slash at the end: jobs of this machine
 * reach its own server, those elsewhere only one with an address of its own. Undefined when they only
 * write files.
 *
 * @throws E_NO_WAY_HOME when they could do neither; E_CONFIG_INVALID when nobody said which folder the
 * nodes of a Slurm cluster share.
 */
export function wayHome(
  entry: ClusterEntry,
  at: {
    readonly places: ClusterPlaces;
    /** This process's own folder, of which other machines know nothing. */
    readonly dataDir: string;
    /** The address of the result route as this process knows it; undefined when there is none. */
    readonly ownUrl: string | undefined;
  },
): string | undefined {
  const { ownUrl, places, dataDir } = at;
  const isHere = endsWithUs(entry.kind);
  const reaches = isHere || (ownUrl !== undefined && isElsewhere(ownUrl));
  const base = places.resultUrl ?? (reaches ? ownUrl : undefined);
  const writesFiles = entry.kind !== "kubernetes" || entry.results !== undefined;
  if (base === undefined && !writesFiles) {
    throw new TesseraError("E_NO_WAY_HOME", { cluster: entry.name, address: ownUrl ?? "none" });
  }
  if (base === undefined && entry.kind === "slurm" && isUnshared(entry, at)) {
    const problem = `cluster ${entry.name}: resultsDir must say which folder this machine and the compute nodes share (or resultUrl, where jobs reach this server); nobody set it, and ${places.resultsDir} lies in ${dataDir}`;
    throw new TesseraError("E_CONFIG_INVALID", { summary: problem, problems: [problem], count: 1 });
  }
  return base?.replace(/\/$/, "");
}

/** A folder that nobody chose for this: it may well be on a disk of this machine alone. */
function isUnshared(
  entry: ClusterEntry,
  { places, dataDir }: { readonly places: ClusterPlaces; readonly dataDir: string },
): boolean {
  const { resultsDir } = places;
  return entry.resultsDir === undefined && resultsDir === `${dataDir}/continuous_validation`;
}

/** An address that means the same machine wherever it is read. */
function isElsewhere(url: string): boolean {
  const host = new URL(url).hostname;
  return !isLoopback(host) && host !== "0.0.0.0" && host !== "[::]";
}
