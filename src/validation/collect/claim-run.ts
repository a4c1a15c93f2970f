import { link, mkdir, readFile, unlink, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import { messageOf } from "../../platform/errors/index.ts";

/** What came of claiming a run. */
export type Claim =
  | { readonly state: "mine" }
  /** Another job has the run. */
  | { readonly state: "taken"; readonly by: string }
  /** Nobody can tell; a run is not given up for that. */
  | { readonly state: "unknown"; readonly problem: string };

const holderCharsMax = 200;

/**
 * Claims a run for a job: of several jobs of one run exactly one gets it, and gets it again if it is
 * begun anew. The claim is a file that is there only with its whole content.
 */
export async function claimRun(path: string, job: string): Promise<Claim> {
  const draft = `${path}.${job.replaceAll(/[^\w-]/g, "_")}.tmp`;
  try {
    await mkdir(dirname(path), { recursive: true });
    await writeFile(draft, job);
    try {
      await link(draft, path);
      return { state: "mine" };
    } catch (error) {
      if (!isThere(error)) throw error;
      const by = (await readFile(path, "utf8")).slice(0, holderCharsMax);
      return by === job ? { state: "mine" } : { state: "taken", by };
    } finally {
      await unlink(draft);
    }
  } catch (error) {
    return { state: "unknown", problem: messageOf(error) };
  }
}

function isThere(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "EEXIST";
}
