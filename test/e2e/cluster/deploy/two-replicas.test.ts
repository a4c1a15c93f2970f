import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Cluster, startCluster } from "../../../cluster/fixture.ts";
import { describeCluster } from "../../../cluster/shared.ts";
import { distDir } from "../../../support/built-cli.ts";
import { postgresMissing } from "../../../support/postgres.ts";
import { waitUntil } from "../../../support/wait-until.ts";
import { signalPod } from "./support/pod-process.ts";
import { type PostgresForPods, postgresForPods } from "./support/postgres-for-pods.ts";
import {
  adminToken,
  ask,
  controlPods,
  install,
  leadingPod,
  namespace,
  prepare,
  testValues,
} from "./support/release.ts";
import { type CountedRun, runsInStore } from "./support/runs-in-store.ts";

const shape = { nodes: 2 };
const missing = postgresMissing();
const why = missing === undefined ? "" : ` (skipped: ${missing})`;
const figure = '{"figures":{"speed":{"samples":[1,2,3],"higherIsBetter":true}}}';
/** Nodes are tested again and again, so that there is always a run under way. */
const busy = {
  policy: "random",
  limits: { cooldown: "0s", retestAfter: "0s", perRack: 10 },
  checks: [
    { name: "nap", minutes: 0.1, options: { command: ["sh", "-c", `sleep 2; echo '${figure}'`] } },
  ],
};

describeCluster(
  "two replicas on PostgreSQL",
  () => {
    describe.skipIf(missing !== undefined)(`of which one leads${why}`, () => {
      let cluster: Cluster;
      let database: PostgresForPods;
      beforeAll(async () => {
        cluster = await startCluster({ ...shape, bundle: join(distDir, "bundle", "tessera.mjs") });
        database = await postgresForPods(cluster.hostAddress);
        await prepare(cluster);
        const secret = ["create", "secret", "generic", "store"];
        await cluster.kubectl([
          "-n",
          namespace,
          ...secret,
          `--from-literal=url=${database.podUrl}`,
        ]);
        const store = { engine: "postgres", postgres: { existingSecret: "store" } };
        await install(cluster, { ...testValues(busy), store });
      });
      afterAll(async () => {
        await cluster?.stop();
        await database?.stop();
      });

      const runs = () => runsInStore(database.ownUrl);
      const completed = async () =>
        (await runs()).filter(({ result }) => result?.outcome === "completed").length;

      /** Waits until as many more runs have completed. */
      async function untilMore(count: number): Promise<void> {
        const wanted = (await completed()) + count;
        const enough = async () => (await completed()) >= wanted;
        await waitUntil(`${count} more runs have completed`, enough, { timeoutMs: 150_000 });
      }

      /** Waits until a pod other than this one leads. */
      async function untilOtherLeads(than: string): Promise<string> {
        let leader = "";
        const other = async () => {
          leader = await leadingPod(cluster);
          return leader !== "" && leader !== than;
        };
        await waitUntil("another pod leads", other, { timeoutMs: 120_000 });
        return leader;
      }

      it("both answer, one runs checks, and the other knows what it finds", async () => {
        const pods = await controlPods(cluster);
        expect(pods).toHaveLength(2);
        await untilMore(2);
        expect(pods.map(({ metadata }) => metadata.name)).toContain(await leadingPod(cluster));
        const token = await adminToken(cluster);
        for (const pod of pods) {
          const leader = expect.stringContaining(await leadingPod(cluster));
          const answer = await ask(cluster, "/api/v1/validation", { token, pod });
          expect(answer).toMatchObject({ status: 200, body: { clusters: [{ leader }] } });
        }
      });

      it("goes on under the other when the leader is killed and its pod deleted", async () => {
        const first = await leadingPod(cluster);
        signalPod(first, "SIGKILL");
        const now = ["--grace-period=0", "--force", "--wait=false"];
        await cluster.kubectl(["-n", namespace, "delete", "pod", first, ...now]);
        await untilOtherLeads(first);
        await untilMore(2);
      });

      it("goes on under the other when the leader freezes, which finds itself replaced when it thaws", async () => {
        const frozen = await leadingPod(cluster);
        signalPod(frozen, "SIGSTOP");
        try {
          await untilOtherLeads(frozen);
          await untilMore(2);
        } finally {
          signalPod(frozen, "SIGCONT");
        }
        await untilMore(2);
      });

      it("has lost no run and doubled none", async () => {
        const all = await runs();
        // Those under way have no result yet: at most one on each node.
        const open = all.filter(({ result }) => result === undefined);
        expect(open.length).toBeLessThanOrEqual(2);
        for (const { intent, results } of all) expect(results, intent.id).toBeLessThanOrEqual(1);
        for (const node of ["node-1", "node-2"]) {
          expectOneAfterTheOther(all.filter(({ intent }) => intent.node === node));
        }
      });
    });
  },
  shape,
);

/** Of the runs on one node, each begins after the one before has ended. */
function expectOneAfterTheOther(runs: readonly CountedRun[]): void {
  for (const [index, { intent, result }] of runs.slice(0, -1).entries()) {
    const next = runs[index + 1]?.intent;
    expect(result, `${intent.id} is followed by ${next?.id}`).toBeDefined();
    expect(result?.endedAtMs).toBeLessThanOrEqual(next?.plannedAtMs ?? 0);
  }
}
