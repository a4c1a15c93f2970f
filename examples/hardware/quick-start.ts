// The quick start: a GPU falls off the bus under a running service, the cluster reacts, the service
// recovers, and nothing is left behind. On a cluster with the fault API and its agents:
//   TESSERA_ENABLE_HW_FAULTS=1 npm run example -- examples/hardware/quick-start.ts NAMESPACE DEPLOYMENT PORT
import assert from "node:assert/strict";
import { setTimeout as sleep } from "node:timers/promises";
import { ManagedDeployment, type ManagedDeploymentOptions } from "tessera-qa/hardware";

async function testXid79(options: ManagedDeploymentOptions): Promise<void> {
  await using d = await ManagedDeployment.start({ ...options, onProgress: console.log });
  assert(await d.inferenceRequest()); // the baseline

  const node = await d.getHwFaultTargetNode();
  await d.setupCudaPassthrough({ xid: 79 }); // LD_PRELOAD goes into the pods, which replaces them
  await d.toggleCudaFaults(true); // CUDA calls fail from now on; no pod is restarted for it
  await d.injectHwFault("xid", { xid: 79 }); // the line goes into the kernel log

  while (!(await d.isNodeCordoned(node))) await sleep(1000); // the detector's turn

  await d.cleanupCudaSpecWithoutRestart();
  await d.waitForPodsOnHealthyNodes({ excludeNode: node });

  assert(await d.inferenceRequest()); // recovered
  console.log(`recovered from XID 79 on ${node}`);
} // everything is taken back here, also after an error

const [namespace, workload, port] = process.argv.slice(2);
assert(namespace && workload && port, "usage: quick-start.ts NAMESPACE DEPLOYMENT PORT");
const { TESSERA_FAULT_API_URL: url, TESSERA_FAULT_API_TOKEN: token } = process.env;

// Ctrl-C ends the test, and the end of the test takes everything back.
const interrupted = new AbortController();
process.once("SIGINT", () => interrupted.abort(new Error("interrupted")));

await testXid79({
  namespace,
  workload,
  enableHwFaults: process.env["TESSERA_ENABLE_HW_FAULTS"] === "1",
  request: { podPort: Number(port), path: "/infer" },
  signal: interrupted.signal,
  // Without an address the port of the API in the cluster is forwarded.
  ...(url && token ? { api: { url, token } } : {}),
});
