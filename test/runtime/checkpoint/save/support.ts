import { VirtualClock } from "../../../../src/platform/time/index.ts";
import type { Manifest } from "../../../../src/runtime/checkpoint/manifest/index.ts";
import { parseManifest } from "../../../../src/runtime/checkpoint/manifest/index.ts";
import { createMemoryFiles, type MemoryFiles } from "../../../support/checkpoint/index.ts";

export const root = "/data/checkpoints";
export const hourMs = 3_600_000;

/** A disk and a clock of a test's own. */
export function place(): { root: string; files: MemoryFiles; clock: VirtualClock } {
  const clock = new VirtualClock({ epochMs: Date.UTC(2026, 10, 15) });
  return { root, files: createMemoryFiles({ nowMs: () => clock.nowMs() }), clock };
}

/** The manifest of a checkpoint, by its folder's name. */
export function manifestIn(files: MemoryFiles, name: string): Manifest {
  const bytes = files.bytesOf(`${root}/${name}/manifest.json`) ?? new Uint8Array(0);
  return parseManifest(bytes, { checkpoint: name });
}

export async function namesIn(files: MemoryFiles): Promise<string[]> {
  return (await files.list(root)).map(({ name }) => name);
}

/** How a promise ended: its value's name or its error's code. */
export async function codeOf(work: Promise<unknown>): Promise<unknown> {
  return work.then(
    () => "resolved",
    (error: unknown) => (error as { code?: unknown }).code ?? error,
  );
}
