import { describe, expect, test } from "vitest";
import { readRank } from "../../../../src/runtime/ranks/index.ts";
import {
  localRankOfStep,
  rendezvousOfStep,
  rendezvousPort,
} from "../../../../src/runtime/ranks/slurm/slurm-rank.ts";

const env = {
  SLURM_PROCID: "3",
  SLURM_NTASKS: "4",
  SLURM_LOCALID: "1",
  SLURM_JOB_ID: "7",
  SLURM_STEP_ID: "0",
  SLURM_JOB_NODELIST: "g[0-3]",
  SLURM_STEP_NODELIST: "g[1-2]",
};

describe("a rank that srun started", () => {
  test("knows its number and where the first node of its step is met", () => {
    const rendezvous = `g1:${rendezvousPort({ jobId: 7, step: 0 })}`;
    expect(readRank(env)).toEqual({ rank: 3, worldSize: 4, rendezvous });
    expect(localRankOfStep(env)).toBe(1);
  });

  test("of a job or step with a long number is met all the same", () => {
    const long = { ...env, SLURM_JOB_ID: "4294967290", SLURM_STEP_ID: "1000000000" };
    expect(rendezvousOfStep(long)).toMatch(/^g1:6\d{4}$/);
    expect(rendezvousOfStep({ ...env, SLURM_JOB_ID: "7x" })).toBeUndefined();
  });

  test("believes its launcher before Slurm", () => {
    const told = { ...env, TESSERA_RENDEZVOUS: "10.0.0.1:9", TESSERA_WORLD_SIZE: "8" };
    expect(readRank(told)).toEqual({ rank: 3, worldSize: 8, rendezvous: "10.0.0.1:9" });
  });

  test("takes nothing from the job that a launcher of this host runs in", () => {
    const told = { ...env, TESSERA_RANK: "0", TESSERA_WORLD_SIZE: "2" };
    expect(() => readRank(told)).toThrow("TESSERA_RENDEZVOUS is not set");
    expect(localRankOfStep(told)).toBeUndefined();
  });

  test("of a batch script meets the others at the address of the node it runs on", () => {
    const launched = { ...env, ENVIRONMENT: "BATCH", SLURM_LAUNCH_NODE_IPADDR: "10.1.0.5" };
    expect(rendezvousOfStep(launched)).toMatch(/^g1:/);
    const whole = { ...launched, SLURM_STEP_NODELIST: "g[0-3]" };
    expect(rendezvousOfStep(whole)).toMatch(/^10\.1\.0\.5:/);
    expect(rendezvousOfStep({ ...whole, ENVIRONMENT: undefined })).toMatch(/^g0:/);
  });

  test.each([
    [{ SLURM_STEP_ID: undefined }],
    [{ SLURM_STEP_NODELIST: "g[0-" }],
    [{ SLURM_STEP_NODELIST: undefined }],
  ])("is told that no rendezvous is known: %o", (change) => {
    expect(() => readRank({ ...env, ...change })).toThrow("TESSERA_RENDEZVOUS is not set");
  });

  test("jobs and steps that are neighbours do not share a port, and all ports are above those of others", () => {
    const ports = [0, 1, 2, 3].flatMap((job) =>
      [0, 1, 2, 3].map((step) => rendezvousPort({ jobId: 900 + job, step })),
    );
    expect(new Set(ports).size).toBe(16);
    expect(ports.every((port) => port > 60_999 && port < 65_536)).toBe(true);
    expect(rendezvousPort({ jobId: 2 ** 31, step: 5 })).toBeLessThan(65_536);
  });
});
