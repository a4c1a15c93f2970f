import { describe, expect, it } from "vitest";
import type { SlurmClient } from "../../../../src/platform/slurm/index.ts";
import { sleep, VirtualClock } from "../../../../src/platform/time/index.ts";
import { createSlurmCluster } from "../../../../src/validation/clusters/slurm/index.ts";
import { createFakeSlurm, unreachable } from "../../../platform/slurm/fake-slurm.ts";
import { jobOf } from "./support/slurm-cluster.ts";
import { ownJob, settingsOf } from "./support/slurm-parts.ts";

const name = "tsr-probe-g0-r1";

describe("the view of a Slurm cluster", () => {
  const lookEveryMs = 10_000;
  const start = (change: Partial<SlurmClient> = {}) => {
    const clock = new VirtualClock({ epochMs: 1_000_000 });
    const slurm = createFakeSlurm({ clock });
    const logged: string[] = [];
    const say = (_: unknown, text?: string) => void logged.push(text ?? "");
    const cluster = createSlurmCluster({
      name: "prod",
      client: { ...slurm, ...change },
      user: "tessera",
      store: "5ad0beef",
      clock,
      log: { info: say, warn: say },
      settings: settingsOf({ lookEveryMs }),
      env: {},
    });
    return { clock, slurm, cluster, logged };
  };

  it("is starting until the controller answered, and says why it did not", async () => {
    const { clock, slurm, cluster, logged } = start();
    slurm.test.failWith(unreachable());
    cluster.start();
    cluster.start();
    await clock.advance(1);
    expect(cluster.view()).toMatchObject({ trust: { state: "starting" }, nodes: [] });
    expect(logged).toEqual([expect.stringContaining("does not answer")]);
    slurm.test.failWith(undefined);
    await clock.advance(lookEveryMs);
    expect(cluster.view().trust).toEqual({ state: "current" });
    expect(logged).toHaveLength(2);
    await cluster.stop();
  });

  it("outlives a restart of the controller, is stale when that stays away, and then current again", async () => {
    const { clock, slurm, cluster } = start();
    cluster.start();
    await clock.advance(1);
    slurm.test.failWith(unreachable());
    await clock.advance(3 * lookEveryMs);
    expect(cluster.view().trust.state).toBe("current");
    await clock.advance(lookEveryMs);
    expect(cluster.view().trust).toMatchObject({ state: "stale", sinceMs: 1_000_000 });
    expect(cluster.view().nodes).toHaveLength(4);
    slurm.test.failWith(undefined);
    await clock.advance(10 * lookEveryMs);
    expect(cluster.view().trust.state).toBe("current");
    await cluster.stop();
    await cluster.stop();
  });

  it("asks seldom, and less often while nobody answers", async () => {
    const { clock, slurm, cluster } = start();
    const looks = () => slurm.test.calls.filter((call) => call === "nodes").length;
    cluster.start();
    await clock.advance(10 * lookEveryMs);
    const answered = looks();
    slurm.test.failWith(unreachable());
    await clock.advance(10 * lookEveryMs);
    expect(answered).toBe(11);
    expect(looks() - answered).toBeLessThan(6);
    await cluster.stop();
  });

  it("shows a job as it is when its cancelling was lost, so that it can be cancelled again", async () => {
    const { clock, slurm, cluster } = start({ cancel: async () => {} });
    cluster.start();
    await clock.advance(1);
    await slurm.submit({
      script: "#!/bin/sh\n",
      args: [`--job-name=${name}`, "--nodelist=g0", `--comment=${ownJob().comment}`],
      env: {},
    });
    await clock.advance(lookEveryMs);
    await cluster.cancel(name);
    expect(jobOf(cluster, name)?.phase).toBe("gone");
    await clock.advance(2 * lookEveryMs);
    expect(jobOf(cluster, name)?.phase).toBe("running");
    await cluster.cancel(name);
    expect(jobOf(cluster, name)?.phase).toBe("gone");
    slurm.test.end(1, "CANCELLED");
    await clock.advance(2 * lookEveryMs);
    expect(jobOf(cluster, name)).toBeUndefined();
    await cluster.stop();
  });

  it("tells of nodes while accounting never answers in time, and asks it seldom", async () => {
    let asked = 0;
    const history: SlurmClient["history"] = async () => {
      asked++;
      await sleep(clock, 30_000);
      throw unreachable("sacct");
    };
    const { clock, slurm, cluster, logged } = start({ history });
    cluster.start();
    await clock.advance(1);
    slurm.test.setNode("g1", { bootAtMs: clock.nowMs() + 3_600_000 });
    await clock.advance(3_600_000);
    expect(cluster.takeSigns()).toEqual([expect.objectContaining({ kind: "repair", node: "g1" })]);
    expect(asked).toBeGreaterThan(2);
    expect(asked).toBeLessThan(8);
    expect(logged.filter((text) => text.includes("could not be asked for"))).toHaveLength(1);
    await clock.advance(30_000);
    await cluster.stop();
  });

  it("is left at once, also while accounting does not answer, and without a complaint", async () => {
    let asked = false;
    const history: SlurmClient["history"] = (_, options) =>
      new Promise((_resolve, reject) => {
        asked = true;
        options?.signal?.addEventListener("abort", () => reject(new Error("told to stop")));
      });
    const { clock, cluster, logged } = start({ history });
    cluster.start();
    await clock.advance(1);
    expect(asked).toBe(true);
    await cluster.stop();
    expect(logged).toEqual([]);
  });
});
