import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { Cluster } from "../../../cluster/fixture.ts";
import { describeCluster } from "../../../cluster/shared.ts";
import { distDir } from "../../../support/built-cli.ts";
import { missing } from "../../../support/missing.ts";
import { connect } from "../kube/support/connect.ts";
import { Fleet } from "./kills/fleet.ts";
import { playAbandoned, playRound } from "./kills/round.ts";
import { describeRound, type Moment, planRounds } from "./kills/round-plans.ts";
import { buildCudaServer, serverDeployment } from "./support/cuda-server.ts";
import { type Installation, install, underTest } from "./support/installation.ts";
import { startClusterWithOwnFolders } from "./support/node-folders.ts";

const shape = { nodes: 2 };
const nodes = ["node-1", "node-2"];
const compiler = missing("cc", "gcc");
/** All combinations, each at one moment; the nightly run makes it 100, with a seed of its own. */
const rounds = Number(process.env["TESSERA_HW_KILL_ROUNDS"] ?? 6);
const seed = process.env["TESSERA_KILL_SEED"] ?? "kill the hardware test";
const plans = planRounds(seed, rounds);

describeCluster(
  `kill -9 in the middle of a hardware test (seed ${seed})${compiler}`,
  () => {
    let cluster: Cluster;
    let installation: Installation;
    let fleet: Fleet | undefined;
    let folder = "";
    const told: string[] = [];

    beforeAll(async () => {
      if (compiler !== "") return;
      folder = await mkdtemp(join(tmpdir(), "tessera-kills-"));
      const bundle = join(distDir, "bundle", "tessera.mjs");
      cluster = await startClusterWithOwnFolders(folder, { ...shape, bundle });
      installation = await install(cluster, folder, { nodes, detector: "drain" });
      await cluster.apply(serverDeployment(underTest, await buildCudaServer(cluster)));
      fleet = await Fleet.of(installation, folder);
    }, 400_000);
    afterAll(async () => {
      console.log(told.join("\n"));
      await fleet?.stop();
      await cluster?.stop();
      if (folder !== "") await rm(folder, { recursive: true, force: true });
    });

    const ground = async () => {
      if (fleet === undefined) throw new Error("nothing is installed");
      const client = await connect(cluster.kubeconfigPath);
      return { cluster, client, installation, fleet, folder, nodes };
    };
    const cases = plans.map((plan, index) => [describeRound(plan), plan, index] as const);

    it.skipIf(compiler !== "").each(cases)(
      "of %s: all is restored within the lease and five seconds, and the edit stays",
      async (title, plan, index) => {
        const name = `round-${index + 1}`;
        const { inForce, tookMs, afterLeaseMs } = await playRound(await ground(), plan, name);
        const times = `${Math.round(tookMs)} ms, ${Math.round(afterLeaseMs)} ms after the lease`;
        const there = inForce.join(", ") || "nothing in force";
        told.push(`${name}, ${title}: restored after ${times}; there was ${there}`);
        // Otherwise nothing was shown.
        if (isUnderWay(plan.moment)) expect(inForce.length).toBeGreaterThan(1);
      },
      400_000,
    );

    it.skipIf(compiler !== "")(
      "of everything at once: what is left is noticed, and restored when all are back",
      async () => {
        const noticed = await playAbandoned(await ground(), "abandoned");
        expect(noticed).toMatch(/unschedulable of node-\d is true, not false/);
        expect(noticed).toMatch(/spec of the workload is .*LD_PRELOAD/);
        expect(noticed).toMatch(/a xid fault is observed/);
      },
      400_000,
    );
  },
  shape,
);

/** Faults are in force then, whatever is fast or slow. */
function isUnderWay(moment: Moment): boolean {
  return moment === "armed" || moment === "line" || moment === "drain";
}
