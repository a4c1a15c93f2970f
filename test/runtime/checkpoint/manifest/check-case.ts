import type { CheckpointFiles } from "../../../../src/runtime/checkpoint/files/index.ts";
import { readCommitted } from "../../../../src/runtime/checkpoint/manifest/index.ts";
import type { FuzzedCheckpoint } from "./fuzz-case.ts";
import { complaintAbout } from "./oracle.ts";
import { refusalOf } from "./rule-of.ts";

/**
 * Reads COMMIT and manifest of a case as a load does, and proves that what comes of it is right: what
 * the oracle agrees with, or a refusal by a rule; never more bytes asked for than the files have.
 *
 * @returns "opened", "uncommitted", or the rule that refused it
 */
export async function checkCase(fuzzed: FuzzedCheckpoint): Promise<string> {
  const { name, commit, manifest } = fuzzed;
  const { files, asked } = filesWith({ COMMIT: commit, "manifest.json": manifest });
  const outcome = await readCommitted(files, `/checkpoints/${name}`).catch(refusalOf);
  const there = (commit?.length ?? 0) + (manifest?.length ?? 0);
  if (asked() > there) throw new Error(`${asked()} bytes asked of ${there}`);
  if (outcome === undefined) {
    if (commit === undefined) return "uncommitted";
    throw new Error("a COMMIT was not seen");
  }
  if ("commit" in outcome) {
    const complaint = complaintAbout(fuzzed, outcome);
    if (complaint !== undefined) throw new Error(`wrongly opened: ${complaint}`);
    return "opened";
  }
  const { checkpoint, file, problem, rule } = outcome;
  const isFile = file === "COMMIT" || file === "manifest.json";
  if (checkpoint !== name || !isFile || problem === "") throw new Error("it says too little");
  return rule;
}

/** A folder of two files at most, that counts what is asked of it. */
function filesWith(contents: Readonly<Record<string, Uint8Array | undefined>>) {
  let asked = 0;
  const open: CheckpointFiles["open"] = async (path) => {
    const file = contents[path.slice(path.lastIndexOf("/") + 1)];
    if (file === undefined) throw Object.assign(new Error("ENOENT"), { code: "ENOENT" });
    return {
      bytes: file.length,
      read: async (into, position) => {
        asked += into.length;
        const found = file.subarray(position, position + into.length);
        into.set(found);
        return found.length;
      },
      close: async () => {},
    };
  };
  return { files: { open } as CheckpointFiles, asked: () => asked };
}
