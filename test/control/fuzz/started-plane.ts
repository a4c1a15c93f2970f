import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { loadConfig } from "../../../src/platform/config/index.ts";
import { waitUntil } from "../../support/wait-until.ts";
import { buildExperimentProgram } from "../experiments/support.ts";
import { startPlane, type TestPlane } from "../support.ts";

/** An administrator's token that no call of the API can revoke. */
export const adminSecret = "the-token-of-the-one-who-tries-everything";

const fleet = `validation:
  clusters:
    - { name: made-up, kind: simulated, nodes: 6, gpusPerNode: 8, speed: 5000, seed: "7" }
`;

export interface FuzzPlane extends TestPlane {
  stop(): Promise<void>;
}

/** A control plane with a small simulated fleet that has been judged already. */
export async function startFuzzPlane(options: {
  readonly isValidating: boolean;
  /** @default a SQLite store of its own */
  readonly storeUrl?: string;
}): Promise<FuzzPlane> {
  const folder = await mkdtemp(join(tmpdir(), "tessera-fuzz-"));
  const yaml = options.isValidating ? fleet : "validation: { enabled: false }\n";
  await writeFile(join(folder, "tessera.yaml"), yaml);
  const { values } = await loadConfig({ cwd: folder, env: { HOME: folder } });
  const test = await startPlane({
    dataDir: join(folder, "data"),
    validation: values,
    // Experiments are read and planned in a process of their own.
    command: [process.execPath, await buildExperimentProgram(folder)],
    env: { TESSERA_TOKEN: adminSecret },
    server: { requestTimeoutMs: 120_000 },
    ...(options.storeUrl === undefined ? {} : { storeUrl: options.storeUrl }),
  });
  await test.plane.doctor.run();
  if (options.isValidating) {
    await waitUntil("a node was judged", async () => {
      const { text } = await test.call("GET", "/api/v1/validation");
      return /"pass":[1-9]/.test(text);
    });
  }
  const stop = async () => {
    await test.plane.stop({ deadlineMs: 0 });
    await rm(folder, { recursive: true, force: true });
  };
  return { ...test, stop };
}

const textsMax = 300;

/** Names and identifiers the server has shown, so that calls can be about something. */
export async function shownTexts(
  test: TestPlane,
  paths: readonly string[],
): Promise<readonly string[]> {
  const found = new Set<string>();
  const collect = (value: unknown, key = ""): void => {
    if (typeof value === "string") {
      if (/id$|name|node|cluster|check|run|kind|cursor|next/i.test(key) && value.length < 200)
        found.add(value);
    } else if (typeof value === "object" && value !== null) {
      for (const [name, inner] of Object.entries(value)) {
        if (found.size < textsMax) collect(inner, Array.isArray(value) ? key : name);
      }
    }
  };
  for (const path of paths) {
    const { status, json } = await test.call("GET", path, { token: adminSecret });
    if (status === 200) collect(json);
  }
  return [...found].slice(0, textsMax);
}
