import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";

/**
 * A small disk of our own, taken away when the test ends. Ask `smallDiskMissing` first.
 *
 * @param options of the mount: `size=2m`.
 */
export function mountSmallDisk(options: string): string {
  const folder = mkdtempSync(join(tmpdir(), "tessera-disk-"));
  const { status, stderr } = spawnSync("mount", [
    "-t",
    "tmpfs",
    "-o",
    options,
    "tessera-disk",
    folder,
  ]);
  if (status !== 0) throw new Error(String(stderr));
  onTestFinished(() => {
    spawnSync("umount", ["--lazy", folder]);
    rmSync(folder, { recursive: true, force: true });
  });
  return folder;
}

/** Why no small disk can be had here; undefined when one can. */
export function smallDiskMissing(): string | undefined {
  if (process.getuid?.() !== 0) return "only root may mount a small disk";
  const folder = mkdtempSync(join(tmpdir(), "tessera-disk-"));
  const { status } = spawnSync("mount", ["-t", "tmpfs", "-o", "size=64k", "tessera-disk", folder]);
  if (status === 0) spawnSync("umount", [folder]);
  rmSync(folder, { recursive: true, force: true });
  return status === 0 ? undefined : "this machine does not let us mount a small disk";
}
