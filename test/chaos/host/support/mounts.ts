import { mkdtempSync, readFileSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { LimitedDisk } from "../../../../src/chaos/host/disk/index.ts";
import { messageOf } from "../../../../src/platform/errors/index.ts";
import { clock } from "./host-program.ts";

/** What is mounted below a folder, as the kernel lists it. */
export function mountsIn(folder: string): readonly string[] {
  return readFileSync("/proc/self/mounts", "utf8")
    .split("\n")
    .map((line) => line.split(" ")[1] ?? "")
    .filter((path) => path.startsWith(`${folder}/`));
}

/** Why this machine mounts no disk of limited size for us; undefined when it does. */
export async function whyNoDisk(): Promise<string | undefined> {
  if (process.getuid?.() !== 0) return "only root may mount one";
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "tessera-disk-trial-")));
  try {
    const about = { run: "trial", folder: join(folder, "disk"), sizeBytes: 65_536, clock };
    await (await LimitedDisk.mount(about)).close();
    return undefined;
  } catch (error) {
    return messageOf(error);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
