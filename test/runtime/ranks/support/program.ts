import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll } from "vitest";
import {
  createRankLauncher,
  type RankOutcome,
  type RankRun,
} from "../../../../src/runtime/ranks/index.ts";
import { bundleProgram } from "../../../support/bundle-program.ts";
import { clock } from "./here.ts";
import { workerSource } from "./worker-source.ts";

/** The program of `worker-source.ts`, made once for a test file. */
export function workerProgram(): {
  readonly path: () => string;
  readonly folder: () => string;
  launch(task: string, run?: Partial<RankRun>): Promise<readonly RankOutcome[]>;
} {
  let folder = "";
  let path = "";
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "tessera-ranks-"));
    path = await bundleProgram(folder, "worker", workerSource);
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));
  return {
    path: () => path,
    folder: () => folder,
    launch: (task, run = {}) => {
      const command = [process.execPath, path];
      const env = { PATH: process.env["PATH"], TESSERA_RUN_TOKEN: "not for ranks" };
      const launcher = createRankLauncher({ command, clock, env, graceMs: 500 });
      const signal = new AbortController().signal;
      return launcher({ task, worldSize: 3, input: {}, signal, timeoutMs: 60_000, ...run });
    },
  };
}
