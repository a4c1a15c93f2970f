import { describe, expect, it } from "vitest";
import {
  jobScript,
  submissionOf,
} from "../../../../src/validation/clusters/slurm/jobs/submission.ts";
import { request, settingsOf, who } from "./support/slurm-parts.ts";

const { store } = who;
const env = { PATH: "/usr/bin", HOME: "/home/tessera", TESSERA_TOKEN: "secret", SECRET: "x" };

describe("what is handed to sbatch", () => {
  it("pins the job to its node with all that the node has, last in the queue and for a limited time", () => {
    const settings = settingsOf({ account: "infra", qos: "scavenger" });
    const { args } = submissionOf({ request: request(), store, settings, closed: undefined, env });
    expect(args).toEqual([
      "--job-name=tsr-probe-g0-r1",
      "--comment=tessera cluster=prod run=r1 store=5ad0beef",
      "--nodelist=g0",
      "--nodes=1",
      "--ntasks=1",
      "--exclusive",
      "--gres=gpu:8",
      "--mem=0",
      "--time=11",
      "--no-requeue",
      "--nice=10000",
      "--partition=tessera",
      "--account=infra",
      "--qos=scavenger",
      "--dependency=singleton",
      "--chdir=/",
      "--output=/shared/results/probe/g0/Probe_g0_1767903000.output.log",
      "--open-mode=append",
      "--export=ALL",
    ]);
  });

  it("asks for no GPUs on nodes without them, and leaves out what is not set", () => {
    const { partition: _, ...rest } = settingsOf({ resultDir: "/a%b", gres: null });
    const { args } = submissionOf({
      request: request(),
      store,
      settings: rest,
      closed: undefined,
      env,
    });
    expect(args.filter((arg) => /gres|partition|account|qos|reservation/.test(arg))).toEqual([]);
    expect(args.find((arg) => arg.startsWith("--output"))).toMatch(/^--output=\/a%%b\//);
  });

  it("asks for no more time than the partition gives, and tells the run to end before that", () => {
    const given = { request: request(), store, settings: settingsOf(), closed: undefined, env };
    const timeIn = (timeLimitMs: number | undefined) => {
      const { args, env: told } = submissionOf({ ...given, timeLimitMs });
      return [args.find((arg) => arg.startsWith("--time")), told["TESSERA_RUN_TIMEOUT_MS"]];
    };
    expect(timeIn(undefined)).toEqual(["--time=11", "600000"]);
    expect(timeIn(660_000)).toEqual(["--time=11", "600000"]);
    expect(timeIn(300_000)).toEqual(["--time=5", "270000"]);
    expect(timeIn(1)).toEqual(["--time=1", "54000"]);
  });

  it("goes to the reservation of a closed node and remembers why that is closed", () => {
    const closed = "tessera/prod: too slow";
    const { args } = submissionOf({
      request: request(),
      store,
      settings: settingsOf(),
      closed,
      env,
    });
    expect(args).toContain("--reservation=tessera-prod-g0");
    expect(args).toContain(
      "--comment=tessera cluster=prod run=r1 store=5ad0beef closed=tessera%2Fprod%3A%20too%20slow",
    );
  });

  it("has a script that is the same for all, and an environment of its own", () => {
    const hostile = request({ check: '"; rm -rf $HOME #' });
    const { script, env: given } = submissionOf({
      request: hostile,
      store,
      settings: settingsOf(),
      closed: undefined,
      env,
    });
    expect(script).toBe(jobScript);
    expect(given).toEqual({
      PATH: "/usr/bin",
      HOME: "/home/tessera",
      TESSERA_PROGRAM: "/shared/tessera",
      TESSERA_RUN_ID: "r1",
      TESSERA_RUN_TOKEN: "run-token",
      TESSERA_RESULT_DIR: "/shared/results",
      TESSERA_NODE: "g0",
      TESSERA_CHECK: '"; rm -rf $HOME #',
      TESSERA_CLUSTER: "prod",
      TESSERA_PLANNED_AT: "1767903000",
      TESSERA_RUN_TIMEOUT_MS: "600000",
      TESSERA_CHECK_OPTIONS: '{"rounds":3}',
    });
  });
});
