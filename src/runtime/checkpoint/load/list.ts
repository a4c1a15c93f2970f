import type { CheckpointPlace, CheckpointSummary } from "../options.ts";
import { placeOf, scan } from "./scan.ts";

/**
 * The folders of a root that are called like checkpoints, the last committed first, whatever their
 * steps: `load` without a tag tries them in this order. COMMIT and manifest are judged, data is not
 * read. A missing root has none.
 */
export async function list(place: CheckpointPlace = {}): Promise<readonly CheckpointSummary[]> {
  const { files, root } = placeOf(place);
  return (await scan(files, root)).map(({ summary }) => summary);
}

/** The newest of them whose COMMIT and manifest belong together; undefined when there is none. */
export async function lastCommitted(
  place: CheckpointPlace = {},
): Promise<CheckpointSummary | undefined> {
  return (await list(place)).find(({ status }) => status === "committed");
}
