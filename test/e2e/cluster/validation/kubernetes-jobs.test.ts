import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, it, onTestFinished } from "vitest";
import { type KubeClient, resourceTypes } from "../../../../src/platform/kube/index.ts";
import type { Cluster as Target } from "../../../../src/validation/clusters/cluster.ts";
import { type Cluster, startCluster } from "../../../cluster/fixture.ts";
import { describeCluster } from "../../../cluster/shared.ts";
import { waitUntil } from "../../../support/wait-until.ts";
import { jobRequest } from "../../../validation/clusters/kubernetes/support/requests.ts";
import { connect, current, jobOf, look, reasons, untilGone, untilPhase } from "./support/look.ts";

const shape = { nodes: 1, kwok: 4, volcano: true };
/** A busy machine must not make KWOK's nodes look dead. */
const extraArgs = { "controller-manager": ["--node-monitor-grace-period=1h"] };

describeCluster(
  "the jobs of validation on a Kubernetes cluster",
  () => {
    let cluster: Cluster;
    let client: KubeClient;
    beforeAll(async () => {
      cluster = await startCluster({ ...shape, extraArgs });
      client = await connect(cluster);
    });
    afterAll(async () => {
      client?.close();
      await cluster?.stop();
    });

    it.each(["job", "volcano"] as const)(
      "runs a check on a real node as a %s, once, however often it is submitted",
      async (jobKind) => {
        const command = ["sh", "-c", 'test "$TESSERA_NODE" = node-1 && sleep 1'];
        const target = look(client, { jobKind, command });
        await current(target);
        const request = jobRequest({ node: "node-1", gpus: 8, id: randomUUID() });
        const { jobName, id } = request.intent;
        await Promise.all([target.submit(request), target.submit(request)]);
        await target.submit(request);
        await waitUntil("it is seen", () => jobOf(target, jobName) !== undefined);
        expect(reasons(target, "node-1")[0]).toContain(`under-test: job ${jobName}`);
        const another = look(client, { jobKind, command });
        const done = await untilPhase(target, jobName, "succeeded");
        expect(done).toMatchObject({ runId: id, node: "node-1" });
        expect(done?.startedAtMs).toBeGreaterThan(0);
        await current(another);
        expect(another.view().jobs.map(({ runId }) => runId)).toContain(id);
        expect(look(client, { jobKind }, { name: "other" }).view().jobs).toEqual([]);

        const stranger = jobRequest({ node: "node-1", gpus: 8, id: "another", jobName });
        await expect(target.submit(stranger)).rejects.toMatchObject({ code: "E_JOB_REFUSED" });
        await target.cancel(jobName);
        await target.cancel(jobName);
        await untilGone(target, jobName);
        await waitUntil("node-1 is free", () => reasons(target, "node-1").length === 0);
      },
    );

    it.each(["job", "volcano"] as const)("tells why a %s failed", async (jobKind) => {
      const target = look(client, { jobKind, command: ["sh", "-c", "exit 3"] });
      await current(target);
      const { intent, ...rest } = jobRequest({ node: "node-1", gpus: 8, id: randomUUID() });
      await target.submit({ intent, ...rest });
      const failed = await untilPhase(target, intent.jobName, "failed");
      expect(failed?.detail).toContain("exit code 3");
      await target.cancel(intent.jobName);
      await untilGone(target, intent.jobName);
    });

    it.each(["job", "volcano"] as const)(
      "tells why a %s waits, and takes it away",
      async (jobKind) => {
        await cluster.kubectl(["cordon", "kwok-1"]);
        const target = look(client, { jobKind });
        await current(target);
        const request = jobRequest({ node: "kwok-1", gpus: 8, id: randomUUID() });
        const { jobName } = request.intent;
        await target.submit(request);
        await waitUntil("it says why", () => /schedul/i.test(jobOf(target, jobName)?.detail ?? ""));
        expect(jobOf(target, jobName)?.phase).toBe("pending");
        await target.cancel(jobName);
        await untilGone(target, jobName);
        await waitUntil("its pods are gone", async () => {
          const { items } = await client.listPage(resourceTypes.pods, {
            namespace: "default",
            labelSelector: `tessera.dev/run-id=${request.intent.id}`,
          });
          return items.length === 0;
        });
      },
    );

    // KWOK takes its time to play a pod; that the scheduler has chosen the node is enough here.
    const isPlaced = (target: Target, name: string) => {
      const { phase, detail = "" } = jobOf(target, name) ?? {};
      return phase === "pending" ? detail === "its container is prepared" : phase !== undefined;
    };

    it.each([
      ["job", "kwok-2"],
      ["volcano", "kwok-3"],
    ] as const)("runs an acceptance as a %s on a node that it closed", async (jobKind, node) => {
      const target = look(client, { jobKind });
      await current(target);
      await target.controls?.cordon(node, "failed");
      await waitUntil("it waits to be accepted", () => {
        const found = target.view().nodes.find(({ name }) => name === node);
        return found?.awaitsAcceptance === true && found.notFree.length === 0;
      });
      const request = jobRequest({ node, gpus: 8, id: randomUUID() });
      await target.submit(request);
      await waitUntil("it is placed", () => isPlaced(target, request.intent.jobName));
      await target.cancel(request.intent.jobName);
      await untilGone(target, request.intent.jobName);
      expect(await target.controls?.uncordon(node, "accepted")).toBe(true);
    });

    it("fails a job whose node disappears under it", async () => {
      const target = look(client);
      await current(target);
      // Held still, KWOK cannot play the pod to its end before the node goes.
      const kwok = cluster.component("kwok");
      await kwok.kill("SIGSTOP");
      onTestFinished(() => kwok.kill("SIGCONT"));
      const request = jobRequest({ node: "kwok-4", gpus: 8, id: randomUUID() });
      const { jobName } = request.intent;
      await target.submit(request);
      await waitUntil("it is placed", () => isPlaced(target, jobName));
      await client.delete(resourceTypes.nodes, { name: "kwok-4" });
      const failed = await untilPhase(target, jobName, "failed");
      expect(failed?.detail).toContain("kwok-4 has left the cluster");
      await kwok.kill("SIGCONT");
      await target.cancel(jobName);
      await untilGone(target, jobName);
    });

    it("passes on what the server refuses, word for word", async () => {
      const target = look(client, { cpu: "-1" });
      await current(target);
      const request = jobRequest({ node: "kwok-1", gpus: 8, id: randomUUID() });
      await expect(target.submit(request)).rejects.toMatchObject({
        code: "E_JOB_REFUSED",
        message: expect.stringContaining("must be greater than or equal to 0"),
      });
      const namespaceless = look(client, { namespace: "nowhere" });
      await expect(namespaceless.submit(request)).rejects.toMatchObject({ code: "E_JOB_REFUSED" });
    });
  },
  shape,
);
