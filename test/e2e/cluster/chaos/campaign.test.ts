import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { checkCampaignRights } from "../../../../src/chaos/campaign/on-kubernetes/index.ts";
import { openExistingStore } from "../../../../src/platform/store/index.ts";
import { type Cluster, startCluster } from "../../../cluster/fixture.ts";
import { describeCluster } from "../../../cluster/shared.ts";
import { runCli, startCli } from "../../../support/built-cli.ts";
import { waitUntil } from "../../../support/wait-until.ts";
import { clock, connect } from "../kube/support/connect.ts";
import { kubeconfigOf, manifestOf, rolesOf, withoutEach } from "./support/service-account.ts";
import { bundle, ledgerFolder } from "./support/workers.ts";

const shape = { nodes: 2 };
/** Every night it is more: TESSERA_CAMPAIGN_RUNS=10000 TESSERA_CAMPAIGN_PODS=8. */
const runs = Number(process.env["TESSERA_CAMPAIGN_RUNS"] ?? 500);
const pods = Number(process.env["TESSERA_CAMPAIGN_PODS"] ?? 3);
const limitMs = 240_000 + runs * 600;
const patience = { timeoutMs: 180_000 };
const image = ["--on", "kubernetes", "--image", "tessera:test"];

interface PodItem {
  readonly metadata: {
    readonly name: string;
    readonly uid: string;
    readonly annotations: Readonly<Record<string, string>>;
  };
  readonly status: { readonly phase: string };
}

describeCluster(
  "a campaign as an indexed Job",
  () => {
    let cluster: Cluster;
    beforeAll(async () => {
      cluster = await startCluster({ ...shape, bundle });
    }, 300_000);
    afterAll(() => cluster?.stop());

    const campaignPods = async (): Promise<readonly PodItem[]> => {
      const args = ["get", "pods", "-A", "-l", "tessera.dev/campaign", "-o", "json"];
      return (JSON.parse(await cluster.kubectl(args)) as { items: PodItem[] }).items;
    };
    const jobs = async () => (await cluster.kubectl(["get", "jobs", "-A", "-o", "name"])).trim();
    const placeOf = ({ metadata }: PodItem) =>
      metadata.annotations["batch.kubernetes.io/job-completion-index"];

    /** The built program with a store of its own. */
    const campaign = (store: string, kubeconfig = cluster.kubeconfigPath) => {
      const env = { TESSERA_STORE_URL: store, KUBECONFIG: kubeconfig };
      const args = (more: readonly string[]) => ["chaos", "campaign", "--seed", "7", ...more];
      return {
        start: (...more: string[]) => startCli(args(more), { env, limitMs }),
        run: (...more: string[]) => runCli(args(more), { env, limitMs }),
      };
    };
    const newStore = () => `sqlite:${join(ledgerFolder(), "tessera.db")}`;

    it(
      "is the same as a local one, though a pod is deleted in the middle of its range",
      async () => {
        const { run, start } = campaign(newStore());
        const inPods = ["--runs", `${runs}`, ...image, "--pods", `${pods}`, "--name", "many"];
        const running = await start(...inPods, "--json");
        let victim: PodItem | undefined;
        const isAtWork = async () => {
          victim = (await campaignPods()).find(({ status }) => status.phase === "Running");
          return victim !== undefined;
        };
        await waitUntil("a pod is at work", isAtWork, patience);
        const { name = "", uid } = victim?.metadata ?? {};
        await cluster.kubectl(["delete", "pod", name, "--grace-period=0", "--force"]);
        const isRunAgain = async () =>
          (await campaignPods()).some(
            (pod) =>
              victim !== undefined && placeOf(pod) === placeOf(victim) && pod.metadata.uid !== uid,
          );
        await waitUntil("its range is run again, by another pod", isRunAgain, patience);
        const local = await run("--runs", `${runs}`, "--json");
        const gathered = await running.result;
        expect(gathered.code, gathered.stderr).toBe(local.code);
        expect(JSON.parse(gathered.stdout)).toEqual(JSON.parse(local.stdout));
        expect(JSON.parse(local.stdout)).toMatchObject({ runs });
        expect(await jobs()).toBe("");
        // All is in the store now: nothing is left for pods to do, so the image is not even needed.
        const again = await run(...inPods, "--json", "--image", "example.invalid/nothing:1");
        expect(JSON.parse(again.stdout)).toEqual(JSON.parse(local.stdout));
      },
      limitMs,
    );

    it("goes on where it was after its runner was killed, and leaves no Job behind", async () => {
      const store = newStore();
      const { run, start } = campaign(store);
      const inPods = ["--runs", "30", ...image, "--pods", "6", "--name", "killed"];
      const killed = await start(...inPods);
      const isKept = async () => (await keptRuns(store)) > 0;
      await waitUntil("the first part is kept", isKept, patience);
      killed.child.kill("SIGKILL");
      await killed.result;
      expect(await jobs()).not.toBe("");
      const [here, there] = [ledgerFolder(), ledgerFolder()];
      const told = await run(...inPods, "--out", there);
      expect(told.stdout, told.stderr).toMatch(/kept in the store as killed; [1-9]\d* of these/);
      await run("--runs", "30", "--out", here);
      expect(runsIn(there)).toEqual(runsIn(here));
      expect(await jobs()).toBe("");
    }, 300_000);

    describe("with the rights of the example and no others", () => {
      const objects = manifestOf("campaign-rbac.yaml");
      const account = { name: "campaign", namespace: "campaigns" };

      it("runs; without one of them it says which, and makes nothing", async () => {
        await cluster.apply(...objects);
        const kubeconfig = await kubeconfigOf(cluster, account);
        const { run } = campaign(newStore(), kubeconfig);
        const small = ["--runs", "4", ...image, "--pods", "2"];
        const whole = await run(...small, "--json");
        expect(JSON.parse(whole.stdout), whole.stderr).toMatchObject({ runs: 4 });

        const client = await connect(kubeconfig);
        const { signal } = new AbortController();
        const [role] = rolesOf(objects);
        expect(role).toBeDefined();
        for (const { resource, verb, left } of role === undefined ? [] : withoutEach(role)) {
          await cluster.apply(left);
          const said = new RegExp(`we may not ${verb} ${resource}[a-z.]* in campaigns\\.`);
          await waitUntil(`${verb} ${resource} is missing, and named`, async () => {
            const refusal = await checkCampaignRights(client, "campaigns", signal).catch(String);
            return said.test(refusal ?? "");
          });
        }
        // The last one, of the logs, is still missing.
        const { code, stderr } = await run(...small);
        expect(code).toBe(2);
        expect(stderr).toContain("we may not get pods/log in campaigns");
        expect(await jobs()).toBe("");
      }, 300_000);
    });
  },
  shape,
);

function runsIn(folder: string): unknown {
  return JSON.parse(readFileSync(join(folder, "runs.json"), "utf8"));
}

async function keptRuns(url: string): Promise<number> {
  const store = await openExistingStore({ url, clock }).catch(() => undefined);
  if (store === undefined) return 0;
  const rows = await store.db.selectFrom("chaos_runs").select("run_index").execute();
  await store.close();
  return rows.length;
}
