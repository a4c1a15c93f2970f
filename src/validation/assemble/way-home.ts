import { TesseraError } from "../../platform/errors/index.ts";
import { isLoopback } from "../../platform/http/index.ts";
import type { ClusterEntry, ClusterPlaces } from "../resolve-settings.ts";

/**
 * Where the jobs of a cluster post their results, without a slash at the end: jobs of this machine
 * reach its own server, those elsewhere only one with an address of its own. Undefined when they only
 * write files.
 *
 * @throws E_NO_WAY_HOME when they could do neither.
 */
export function wayHome(
  entry: ClusterEntry,
  at: {
    readonly places: ClusterPlaces;
    /** The address of the result route as this process knows it; undefined when there is none. */
    readonly ownUrl: string | undefined;
  },
): string | undefined {
  const { ownUrl, places } = at;
  const isHere = entry.kind !== "kubernetes";
  const reaches = isHere || (ownUrl !== undefined && isElsewhere(ownUrl));
  const base = places.resultUrl ?? (reaches ? ownUrl : undefined);
  if (!isHere && base === undefined && entry.results === undefined) {
    throw new TesseraError("E_NO_WAY_HOME", { cluster: entry.name, address: ownUrl ?? "none" });
  }
  return base?.replace(/\/$/, "");
}

/** An address that means the same machine wherever it is read. */
function isElsewhere(url: string): boolean {
  const host = new URL(url).hostname;
  return !isLoopback(host) && host !== "0.0.0.0" && host !== "[::]";
}
