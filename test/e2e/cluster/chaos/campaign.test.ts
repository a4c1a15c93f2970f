import { afterAll, beforeAll, expect, it } from "vitest";
import {
  campaignResult,
  createInlineWorker,
  runCampaign,
} from "../../../../src/chaos/campaign/index.ts";
import { runCampaignOnKubernetes } from "../../../../src/chaos/campaign/on-kubernetes/index.ts";
import { openTrial } from "../../../../src/cli/chaos/campaign/open-workers.ts";
import { type Cluster, startCluster } from "../../../cluster/fixture.ts";
import { describeCluster } from "../../../cluster/shared.ts";
import { clock, connect } from "../kube/support/connect.ts";
import { bundle } from "./support/workers.ts";

const shape = { nodes: 2 };
/** More by hand: TESSERA_CAMPAIGN_RUNS=10000 TESSERA_CAMPAIGN_PODS=8. */
const runs = Number(process.env["TESSERA_CAMPAIGN_RUNS"] ?? 60);
const pods = Number(process.env["TESSERA_CAMPAIGN_PODS"] ?? 3);

describeCluster(
  "a campaign as an indexed Job",
  () => {
    let cluster: Cluster;
    beforeAll(async () => {
      cluster = await startCluster({ ...shape, bundle });
    }, 300_000);
    afterAll(() => cluster?.stop());

    it("is the same as a local one, though a pod is lost on the way", async () => {
      const client = await connect(cluster.kubeconfigPath);
      const { signal } = new AbortController();
      const range = { from: 0, to: runs };
      const running = runCampaignOnKubernetes({
        client,
        clock,
        campaign: "campaign",
        namespace: "default",
        image: "tessera:test",
        imagePullPolicy: "Never",
        command: ["node", "/app/tessera.mjs"],
        seed: "7",
        range,
        pods,
        cpu: "100m",
        memory: "256Mi",
        signal,
      });
      const killing = killOne(cluster);
      const trial = await openTrial();
      const local = await runCampaign({
        seed: "7",
        ...range,
        workers: [createInlineWorker(trial, signal)],
        clock,
        signal,
      });
      const gathered = await running;
      expect(await killing).toBe(true);
      expect(gathered).toEqual(local);
      expect(campaignResult(gathered)).toEqual(campaignResult(local));
      const left = await cluster.kubectl(["get", "jobs", "-o", "name"]);
      expect(left.trim()).toBe("");
    }, 3_600_000);
  },
  shape,
);

/** Kills the first pod that shows up. */
async function killOne(cluster: Cluster): Promise<boolean> {
  for (let attempt = 0; attempt < 200; attempt++) {
    const text = await cluster.kubectl(["get", "pods", "-l", "tessera.dev/campaign", "-o", "name"]);
    const [first = ""] = text.trim().split("\n");
    if (first !== "") {
      await cluster.kubectl(["delete", first, "--grace-period=0", "--force"]);
      return true;
    }
  }
  return false;
}
