import { describe, expect, test } from "vitest";
import { rankValues, readMembership, readRank } from "../../../src/runtime/ranks/index.ts";

const env = {
  TESSERA_RANK: "2",
  TESSERA_WORLD_SIZE: "4",
  TESSERA_RENDEZVOUS: "job-0.job:29500",
  TESSERA_RANK_SECRET: "0123456789abcdef",
};
const noFile = () => Promise.reject(new Error("no file is read"));

describe("the environment of a rank", () => {
  test.each([
    ["our own variable", { TESSERA_RANK: "2" }],
    ["an indexed Job's", { TESSERA_RANK: "", JOB_COMPLETION_INDEX: "2" }],
    ["Volcano's", { TESSERA_RANK: undefined, VC_TASK_INDEX: "2" }],
    ["our own before the others", { JOB_COMPLETION_INDEX: "3", VC_TASK_INDEX: "1" }],
  ])("%s says the rank", (_, change) => {
    expect(readRank({ ...env, ...change })).toEqual({
      rank: 2,
      worldSize: 4,
      rendezvous: "job-0.job:29500",
    });
  });

  test.each([
    [{ TESSERA_RANK: undefined }, "TESSERA_RANK is not set"],
    [{ TESSERA_RANK: "-1" }, "TESSERA_RANK is not a whole number"],
    [{ TESSERA_RANK: "4" }, "says that there are 4"],
    [{ TESSERA_WORLD_SIZE: "" }, "TESSERA_WORLD_SIZE is not set"],
    [{ TESSERA_RENDEZVOUS: undefined }, "TESSERA_RENDEZVOUS is not set"],
    [{ TESSERA_RENDEZVOUS: "nowhere" }, "not host:port"],
  ])("%o is refused and named", (change, words) => {
    expect(() => readRank({ ...env, ...change })).toThrow(words);
  });

  test("the secret comes from a file before the variable, without its line end", async () => {
    const withFile = { ...env, TESSERA_RANK_SECRET_FILE: "/run/secret" };
    const read = async (path: string) => `${path} holds a secret\n`;
    expect((await readMembership(withFile, read)).secret).toBe("/run/secret holds a secret");
    expect((await readMembership(env, noFile)).secret).toBe("0123456789abcdef");
    const bound = await readMembership({ ...env, TESSERA_RENDEZVOUS_BIND: "10.0.0.1" }, noFile);
    expect(bound.bind).toBe("10.0.0.1");
  });

  test.each([
    [{ TESSERA_RANK_SECRET: "" }, "neither TESSERA_RANK_SECRET_FILE nor"],
    [{ TESSERA_RANK_SECRET: "hunter2" }, "16 to 1024 characters"],
  ])("a secret that is missing or short is refused and never shown (%#)", async (change, words) => {
    const attempt = readMembership({ ...env, ...change }, noFile);
    await expect(attempt).rejects.toThrow(words);
    await expect(attempt).rejects.not.toThrow("hunter2");
  });
});

describe("the values of ranks", () => {
  const stopped = { rank: 0, ended: "lost", reason: "stopped because rank 1 was lost" } as const;

  test("are those of all ranks when all came to their end", () => {
    const done = [7, 8].map((value, rank) => ({ rank, ended: "completed", value }) as const);
    expect(rankValues(done)).toEqual([7, 8]);
  });

  test.each([
    [{ rank: 1, ended: "lost", reason: "it was killed by SIGKILL" } as const, "Rank 1 did"],
    [
      { rank: 1, ended: "failed", error: { message: "no memory." } } as const,
      "it failed: no memory.",
    ],
    [
      {
        rank: 1,
        ended: "failed",
        error: { code: "E_RANK_LOST", message: "", details: { rank: 5, problem: "gone" } },
      } as const,
      "Rank 5 did not come to its end: gone",
    ],
    [
      {
        rank: 1,
        ended: "failed",
        error: { code: "E_RENDEZVOUS", message: "", details: { rendezvous: "x:1", problem: "no" } },
      } as const,
      "did not meet at x:1",
    ],
  ])("the cause is named, not who was stopped because of it (%#)", (cause, words) => {
    expect(() => rankValues([stopped, cause])).toThrow(words);
  });
});
