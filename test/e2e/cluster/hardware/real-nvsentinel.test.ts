import { describe, expect, it, onTestFinished } from "vitest";
import type { HealthEvent } from "../../../../src/hardware/detectors/index.ts";
import { nodeSurface, runConformance } from "../../../../src/hardware/detectors/index.ts";
import type { NodeObject } from "../../../../src/hardware/objects/index.ts";
import {
  type KubeClient,
  type KubeObject,
  resourceTypes,
} from "../../../../src/platform/kube/index.ts";
import { waitUntil } from "../../../support/wait-until.ts";
import { clock, connect } from "../kube/support/connect.ts";

/** A cluster where the real fault-quarantine runs and watches `nvidia.com/gpu.present=true`. */
const kubeconfig = process.env["TESSERA_TEST_NVSENTINEL_KUBECONFIG"];
/** Where its simple-health-client takes events: `http://127.0.0.1:8080/health-event`. */
const inlet = process.env["TESSERA_TEST_NVSENTINEL_EVENTS"];
const { nodes, configMaps } = resourceTypes;
const quietMs = 3_000;

const reason =
  kubeconfig === undefined || inlet === undefined
    ? " (skipped: needs TESSERA_TEST_NVSENTINEL_KUBECONFIG and TESSERA_TEST_NVSENTINEL_EVENTS)"
    : "";

describe.skipIf(reason !== "")(`the real NVSentinel${reason}`, () => {
  it("does what the simulator does, step by step", async () => {
    const client = await connect(kubeconfig ?? "");
    await makeNodes(client);
    const node = (name: string) => client.get<NodeObject>(nodes, { name });
    const results = await runConformance({
      submit: async (event) => {
        await send(event);
        await settled(async () => nodeSurface(await node(event.nodeName)));
      },
      uncordon: async (name) => {
        await client.patch(nodes, { name }, { merge: { spec: { unschedulable: null } } });
        await settled(async () => nodeSurface(await node(name)));
      },
      node,
      breaker: async () => {
        const ref = { namespace: "nvsentinel", name: "circuit-breaker" };
        const { data } = await client.get<ConfigMap>(configMaps, ref);
        return data?.["status"] === "TRIPPED" ? "TRIPPED" : "CLOSED";
      },
    });
    for (const { step, expected, observed } of results) expect(observed, step).toEqual(expected);
  });
});

interface ConfigMap extends KubeObject {
  readonly data?: Readonly<Record<string, string>>;
}

/** Nothing says that an event was left alone: it was when the node stays the same for a while. */
async function settled(look: () => Promise<unknown>): Promise<void> {
  let last = "";
  let sinceMs = clock.monotonicMs();
  await waitUntil("the node stays as it is", async () => {
    const now = JSON.stringify(await look());
    if (now !== last) sinceMs = clock.monotonicMs();
    last = now;
    return clock.monotonicMs() - sinceMs >= quietMs;
  });
}

async function send(event: HealthEvent): Promise<void> {
  const seconds = Math.floor(clock.nowMs() / 1000);
  const body = JSON.stringify({ ...event, generatedTimestamp: { seconds } });
  const headers = { "content-type": "application/json" };
  const answer = await fetch(inlet ?? "", { method: "POST", headers, body });
  expect(answer.ok).toBe(true);
}

async function makeNodes(client: KubeClient): Promise<void> {
  const gpus = Array.from({ length: 10 }, (_, at) => `n${at + 1}`);
  onTestFinished(async () => {
    for (const name of [...gpus, "nogpu"])
      await client.delete(nodes, { name }).catch(() => undefined);
  });
  const labels = { "nvidia.com/gpu.present": "true" };
  for (const name of gpus) {
    const spec = { unschedulable: name === "n7" };
    await client.create(nodes, { metadata: { name, labels }, ...{ spec } });
  }
  await client.create(nodes, { metadata: { name: "nogpu" } });
}
