import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll } from "vitest";
import type { ExperimentDetailView, ExperimentRow } from "../../../src/control/api/experiments.ts";
import { bundleProgram } from "../../support/bundle-program.ts";
import { waitUntil } from "../../support/wait-until.ts";
import { startPlane, type TestPlane, type TestPlaneOptions } from "../support.ts";

export const presetsDir = join("examples", "chaos");

/** What the control plane starts for an experiment, with the commands that this needs and no others. */
const source = `
  import { runInThisProcess } from "./src/cli/run-in-this-process.ts";
  import { agentExperimentCommand } from "./src/cli/commands/agent-experiment.ts";
  import { agentChaosWorkerCommand } from "./src/cli/commands/agent-chaos-worker.ts";
  import { agentChaosWatchdogCommand } from "./src/cli/commands/agent-chaos-watchdog.ts";
  const internal = [agentExperimentCommand, agentChaosWorkerCommand, agentChaosWatchdogCommand];
  await runInThisProcess({ specs: [], groups: {}, internal });
`;

type Settings = NonNullable<NonNullable<TestPlaneOptions["settings"]>["experiments"]>;

export const settings: Settings = {
  worlds: ["sim", "host"],
  concurrent: 1,
  waiting: 20,
  timeLimitMs: 600_000,
  keep: 500,
  memoryLimitBytes: 512 * 2 ** 20,
  outside: false,
};

export interface ExperimentPlane extends TestPlane {
  start(text: string, more?: object): Promise<ExperimentRow>;
  detail(id: string): Promise<ExperimentDetailView>;
  /** Waits until it is over. */
  ended(id: string): Promise<ExperimentDetailView>;
}

/** What the built command does for `agent experiment` and what that starts. */
export function buildExperimentProgram(folder: string): Promise<string> {
  return bundleProgram(folder, "tessera", source);
}

/** The program of experiments, made once for a test file. */
export function experimentProgram(): {
  plane(
    options?: TestPlaneOptions & {
      readonly more?: Partial<Settings>;
      readonly kubernetes?: NonNullable<TestPlaneOptions["settings"]>["kubernetes"];
    },
  ): Promise<ExperimentPlane>;
} {
  let folder = "";
  let program = "";
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "tessera-experiments-"));
    program = await buildExperimentProgram(folder);
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));
  return {
    plane: async ({ more = {}, kubernetes, ...options } = {}) => {
      const plane = await startPlane({
        command: [process.execPath, program],
        presetsDir,
        settings: {
          experiments: { ...settings, ...more },
          ...(kubernetes === undefined ? {} : { kubernetes }),
        },
        ...options,
      });
      return withCalls(plane);
    },
  };
}

function withCalls(plane: TestPlane): ExperimentPlane {
  const detail = async (id: string) => {
    const { json } = await plane.call("GET", `/api/v1/experiments/${id}`);
    return json as unknown as ExperimentDetailView;
  };
  return {
    ...plane,
    detail,
    start: async (text, more = {}) => {
      const options = { token: plane.token, json: { text, ...more } };
      const answer = await plane.call("POST", "/api/v1/experiments", options);
      if (answer.status !== 202) throw new Error(JSON.stringify(answer.json));
      return answer.json as unknown as ExperimentRow;
    },
    ended: async (id) => {
      const over = ["finished", "stopped", "failed", "interrupted"];
      const isOver = async () => over.includes((await detail(id)).state);
      await waitUntil(`experiment ${id} is over`, isOver, { timeoutMs: 240_000 });
      return detail(id);
    },
  };
}

export function example(name: string): Promise<string> {
  return readFile(join(presetsDir, `${name}.yaml`), "utf8");
}

function jobText(
  title: string,
  job: { readonly steps: number; readonly freezeFor: string },
): string {
  return `
title: ${title}
workload:
  kind: training
  preset: small
  mesh: { dp: 2 }
  steps: ${job.steps}
  checkpoint: { every: ${job.steps} }
  policy: { onFailure: drainThenResume, restarts: 3 }
timeouts: { heartbeat: 9m, collective: 9m, rendezvous: 9m }
faults:
  - fault: freeze_worker
    target: { rank: 1 }
    at: { step: 5 }
    for: ${job.freezeFor}
limits: { duration: 10m, targets: 1 }
`;
}

/** A job that takes longer than anybody waits, already without faults. */
export const longText = jobText("A long job", { steps: 1_000_000, freezeFor: "1s" });

/** A short one that stands still when its worker is frozen, until somebody undoes that. */
export const frozenText = jobText("A frozen job", { steps: 20, freezeFor: "5m" });
