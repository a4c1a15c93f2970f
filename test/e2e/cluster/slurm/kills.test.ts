import { expect, it } from "vitest";
import { createRng } from "../../../../src/platform/rng/index.ts";
import { createRealClock, sleep } from "../../../../src/platform/time/index.ts";
import { expectAllDone } from "../validation/contract/expect-all-done.ts";
import { createRig } from "../validation/contract/rig.ts";
import { describeOnSlurm } from "./support/ground.ts";

const clock = createRealClock();
/** The nightly run makes it 200. */
const kills = Number(process.env["TESSERA_KILLS"] ?? 20);
/** A job takes two seconds or so: a life sees all of its phases. */
const lifeMsMax = 2_500;

describeOnSlurm("kill -9 of the loop on Slurm", (of) => {
  it(
    `loses nothing, makes no job twice and keeps to its limit, ${kills} times`,
    async () => {
      const { site } = of();
      const inFlight = site.nodes.length - 1;
      const limits = { inFlight, cooldown: "0s", retestAfter: "0s", perRack: inFlight };
      const validation = { limits, policy: "random", resultGrace: "10s" };
      const rig = await createRig(site, { name: "killed-often", validation });
      const seed = process.env["TESSERA_KILL_SEED"] ?? "kill the loop on Slurm";
      const moments = createRng(seed).stream("moments");
      for (let life = 0; life < kills; life++) {
        const loop = await rig.start();
        // One in four dies before it knows whether it leads.
        if (moments.int(4) > 0) {
          await loop.until("it leads", () => loop.told("leading").length > 0);
          await sleep(clock, moments.int(lifeMsMax));
        } else await sleep(clock, moments.int(1_000));
        await rig.kill(loop);
      }
      const last = await rig.start();
      await last.until("it has gone on", () => last.told("judged").length > inFlight);
      expect(await last.stop()).toMatchObject({ code: 0 });
      // Otherwise nothing was shown.
      expect((await rig.runs()).length).toBeGreaterThan(kills / 2);
      await expectAllDone(rig);
      const { anywhere, perNode } = (await rig.ledger()).atOnceMax;
      expect(anywhere).toBeLessThanOrEqual(inFlight);
      expect(perNode).toBe(1);
    },
    240_000 + kills * 6_000,
  );
});
