import { describe, expect, test } from "vitest";
import { VirtualClock } from "../../../../src/platform/time/index.ts";
import type { CheckpointFiles } from "../../../../src/runtime/checkpoint/files/index.ts";
import { load } from "../../../../src/runtime/checkpoint/load/index.ts";
import { readCommitted } from "../../../../src/runtime/checkpoint/manifest/index.ts";
import { save } from "../../../../src/runtime/checkpoint/save/index.ts";
import { createMemoryFiles, type MemoryFiles } from "../../../support/checkpoint/index.ts";

/** Two checkpoints; the COMMIT of the newer one cannot be opened. */
async function disk(code: string) {
  const files = createMemoryFiles();
  const clock = new VirtualClock();
  for (const step of [1, 2]) await save(`s${step}`, { step }, { root: "/r", files, clock });
  return { root: "/r", files: failing(files, code), clock };
}

function failing(files: MemoryFiles, code: string): CheckpointFiles {
  const open: CheckpointFiles["open"] = async (path) => {
    if (path !== "/r/s2/COMMIT") return files.open(path);
    throw Object.assign(new Error(`${code}: ${path}`), { code });
  };
  return { open, list: (path) => files.list(path) } as CheckpointFiles;
}

describe("a COMMIT that cannot be opened", () => {
  test.each(["EMFILE", "ENFILE", "ENOMEM"])(
    "for want of what the machine has (%s) says nothing about its checkpoint: no older one is taken",
    async (code) => {
      const place = await disk(code);
      const refusal = { code: "E_FILE_READ" };
      await expect(readCommitted(place.files, "/r/s2")).rejects.toMatchObject(refusal);
      await expect(load(undefined, place)).rejects.toMatchObject(refusal);
    },
  );

  test.each([
    ["EIO", "readable"],
    ["EACCES", "readable"],
    ["ELOOP", "link"],
    ["EFBIG", "size"],
  ])("by itself (%s) is refused by the rule %s, and the older one is taken", async (code, rule) => {
    const place = await disk(code);
    const refusal = { code: "E_CHECKPOINT_CORRUPT", details: { file: "COMMIT", rule } };
    await expect(readCommitted(place.files, "/r/s2")).rejects.toMatchObject(refusal);
    expect(await load(undefined, { ...place, onFallback: () => {} })).toEqual({ step: 1 });
  });
});
