import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startControlPlane } from "../../src/control/start-control-plane.ts";
import { loadConfig } from "../../src/platform/config/index.ts";
import type { Route } from "../../src/platform/http/index.ts";
import { createLogger } from "../../src/platform/log/index.ts";
import { createRealClock } from "../../src/platform/time/index.ts";

/**
 * Every route of a control plane, from one that is started for a moment in a folder of its own:
 * nobody can forget to list one.
 */
export async function controlPlaneRoutes(): Promise<readonly Route[]> {
  const folder = await mkdtemp(join(tmpdir(), "tessera-docs-"));
  try {
    await writeFile(join(folder, "tessera.yaml"), "validation: { enabled: false }\n");
    const env = { HOME: folder, TESSERA_DATA_DIR: join(folder, "data"), TESSERA_SERVER_PORT: "0" };
    const { values: config } = await loadConfig({ cwd: folder, env });
    const clock = createRealClock();
    const stream = { write: () => true };
    const plane = await startControlPlane({
      config,
      validation: config,
      env,
      command: [process.execPath],
      probes: [],
      clock,
      log: createLogger({ level: "silent", format: "json", stream, clock }),
    });
    await plane.stop({ deadlineMs: 0 });
    return plane.routes;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
