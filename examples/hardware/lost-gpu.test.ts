// The same as a test of Vitest. It is skipped unless faults are enabled:
//   TESSERA_ENABLE_HW_FAULTS=1 TESSERA_HW_NAMESPACE=shop TESSERA_HW_DEPLOYMENT=server npx vitest run lost-gpu
import { ManagedDeployment } from "tessera-qa/hardware";
import { hardwareTest } from "tessera-qa/hardware/vitest";
import { expect } from "vitest";

hardwareTest(
  "the service survives a GPU that falls off the bus",
  async ({ hw }) => {
    const request = { podPort: 8000, path: "/infer" };
    await using d = await ManagedDeployment.start({ ...hw, request });
    expect(await d.inferenceRequest()).toBe(true);

    const node = await d.getHwFaultTargetNode();
    await d.setupCudaPassthrough({ xid: 79 });
    await d.toggleCudaFaults(true);
    await d.injectHwFault("xid", { xid: 79 });

    await d.waitForNodeCordoned(node);

    await d.cleanupCudaSpecWithoutRestart();
    await d.waitForPodsOnHealthyNodes({ excludeNode: node });
    expect(await d.inferenceRequest()).toBe(true);
  },
  600_000,
);
