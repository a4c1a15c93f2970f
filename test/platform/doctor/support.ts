import { chmod, mkdtemp, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { ProbeContext } from "../../../src/platform/doctor/index.ts";
import { createRealClock } from "../../../src/platform/time/real-clock.ts";

/** A context for a probe that sees only these variables on top of the process's own. */
export function contextWith(env: Record<string, string | undefined> = {}): ProbeContext {
  return { clock: createRealClock(), signal: new AbortController().signal, env };
}

/** A folder with programs made of shell lines, for use as a PATH. The caller removes it. */
export async function programsFolder(programs: Record<string, string>): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "tessera-programs-"));
  for (const [name, body] of Object.entries(programs)) {
    const path = join(folder, name);
    await writeFile(path, `#!/bin/sh\n${body}\n`);
    await chmod(path, 0o755);
  }
  return folder;
}
