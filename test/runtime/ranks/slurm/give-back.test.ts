import { describe, expect, test } from "vitest";
import { TesseraError } from "../../../../src/platform/errors/index.ts";
import { VirtualClock } from "../../../../src/platform/time/virtual-clock.ts";
import { giveBack } from "../../../../src/runtime/ranks/slurm/give-back.ts";
import { createFakeSlurm, unreachable } from "../../../platform/slurm/fake-slurm.ts";

/** A job that runs, and how often Slurm was told to end it. */
function site() {
  const clock = new VirtualClock();
  const client = createFakeSlurm({ nodes: 2, clock });
  const jobId = client.test.userJob(["--nodes=2"], "tessera");
  const away: string[] = [];
  let stops = 0;
  const stop = async () => {
    stops++;
    return { exitCode: 143, signal: null };
  };
  const give = (of: { readonly jobId: number | undefined } = { jobId }) =>
    giveBack(
      { stop },
      {
        ...{ view: { client, user: "tessera" }, clock, ...of },
        onAway: (problem) => away.push(problem),
      },
    );
  const cancels = () => client.test.calls.filter((call) => call === "cancel").length;
  return { clock, client, jobId, away, give, cancels, stops: () => stops };
}

describe("nodes that are given back", () => {
  test("are told to Slurm until it hears, when its controller is away", async () => {
    const { clock, client, jobId, away, give, cancels } = site();
    client.test.failWith(unreachable("scancel"));
    const given = give();
    await clock.advance(60_000);
    expect(client.test.job(jobId).state).toBe("RUNNING");
    client.test.failWith(undefined);
    await clock.advance(2000);
    await given;
    expect(client.test.job(jobId).state).toBe("CANCELLED");
    expect(away).toEqual([expect.stringContaining("trying for 3m")]);
    // Not four times a second.
    expect(cancels()).toBeLessThan(40);
  });

  test.each([
    ["E_SLURM_UNREACHABLE", "Unable to contact slurm controller"],
    ["E_SLURM_FAILED", "Unspecified error"],
  ] as const)(
    "are left with the command that ends the job after %s for too long",
    async (code, words) => {
      const { clock, client, jobId, give } = site();
      client.test.failWith(new TesseraError(code, { tool: "scancel", problem: words }));
      const caught = give().catch((error: unknown) => error);
      await clock.advance(200_000);
      expect(await caught).toMatchObject({
        code: "E_SLURM_JOB",
        message: expect.stringContaining(words),
        hint: expect.stringContaining(`scancel ${jobId}`),
      });
    },
  );

  test("are not asked back again and again by one who may not", async () => {
    const { client, jobId, give, cancels } = site();
    const problem = "Access/permission denied";
    client.test.failWith(new TesseraError("E_SLURM_DENIED", { tool: "scancel", problem }));
    await expect(give()).rejects.toMatchObject({
      hint: expect.stringContaining(`scancel ${jobId}`),
    });
    expect(cancels()).toBe(1);
  });

  test("are cancelled again when the controller came back with the job as it was", async () => {
    const { clock, client, jobId, away, give } = site();
    let lost = 1;
    const { cancel } = client;
    Object.assign(client, {
      cancel: async (ids: readonly string[]) => (lost-- > 0 ? undefined : cancel(ids)),
    });
    const given = give();
    await clock.advance(1000);
    await given;
    expect([client.test.job(jobId).state, away]).toEqual(["CANCELLED", []]);
  });

  test.each([
    ["COMPLETING", []],
    ["CANCELLED", ["COMPLETING"]],
    ["RUNNING", ["COMPLETING"]],
  ])("are back while Slurm still cleans up: %s %j", async (state, flags) => {
    const { client, jobId, give } = site();
    client.test.onCall((call) => {
      if (call === "jobs") Object.assign(client.test.job(jobId), { state, flags });
    });
    await give();
  });

  test.each(["SUSPENDED", "STOPPED", "CONFIGURING", "A_NEW_STATE"])(
    "are not back in a state that is none of an end: %s",
    async (state) => {
      const { clock, client, jobId, give } = site();
      client.test.onCall((call) => {
        if (call === "jobs") Object.assign(client.test.job(jobId), { state });
      });
      const caught = give().catch((error: unknown) => error);
      await clock.advance(200_000);
      expect(await caught).toMatchObject({ code: "E_SLURM_JOB" });
    },
  );

  test("are salloc's own matter while the job has no number", async () => {
    const { client, give, stops } = site();
    await give({ jobId: undefined });
    expect([stops(), client.test.calls]).toEqual([1, []]);
  });
});
