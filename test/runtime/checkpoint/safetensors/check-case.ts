import type { CheckpointFiles } from "../../../../src/runtime/checkpoint/files/checkpoint-files.ts";
import {
  readHeader,
  safetensorsRules,
} from "../../../../src/runtime/checkpoint/safetensors/index.ts";
import { complaintAbout } from "./oracle.ts";
import { refusedBy } from "./verdict.ts";

const path = "/case.safetensors";

/**
 * Opens a case as a file is opened, and proves that what comes of it is right: a header that the oracle
 * agrees with, or a refusal by a rule; never more bytes asked for than the file has.
 * @returns "opened", or the rule that refused it
 */
export async function checkCase(file: Uint8Array): Promise<string> {
  const { files, asked } = filesWith(file);
  const outcome = await readHeader(files, path).catch(refusedBy);
  if (asked() > file.length) throw new Error(`${asked()} bytes asked of ${file.length}`);
  if (!("rule" in outcome)) {
    const complaint = complaintAbout(file, outcome);
    if (complaint !== undefined) throw new Error(`wrongly opened: ${complaint}`);
    return "opened";
  }
  if (!Object.hasOwn(safetensorsRules, outcome.rule)) throw new Error(`no rule ${outcome.rule}`);
  if (outcome.file !== path || outcome.problem === "") throw new Error("a refusal says too little");
  return outcome.rule;
}

/** Files of which only one can be opened, and that count what is asked of it. */
function filesWith(file: Uint8Array) {
  let asked = 0;
  const open: CheckpointFiles["open"] = async () => ({
    bytes: file.length,
    read: async (into, position) => {
      asked += into.length;
      const found = file.subarray(position, position + into.length);
      into.set(found);
      return found.length;
    },
    close: async () => {},
  });
  return { files: { open } as CheckpointFiles, asked: () => asked };
}
