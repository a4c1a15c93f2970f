import { describe, expect, it } from "vitest";
import { type HardwareFixtures, hardwareTest } from "../../../src/hardware/vitest/index.ts";
import { useSettings } from "../../../src/hardware/vitest/settings.ts";

const hwEnvironment: HardwareFixtures["hwEnvironment"] = {
  TESSERA_ENABLE_HW_FAULTS: "1",
  TESSERA_HW_NAMESPACE: "shop",
  TESSERA_HW_DEPLOYMENT: "server",
};

describe("the fixture of hardware tests", () => {
  const enabled = hardwareTest.extend<{ readonly hwEnvironment: typeof hwEnvironment }>({
    hwEnvironment,
  });

  enabled("gives what a managed deployment starts with", ({ hw, namespace }) => {
    expect(namespace).toBe("shop");
    expect(hw).toMatchObject({
      namespace: "shop",
      workload: { name: "server", kind: "deployment" },
      enableHwFaults: true,
      signal: expect.any(AbortSignal),
    });
  });

  it("skips a test with the reason unless faults are enabled", async () => {
    const reasons: string[] = [];
    const skip = (reason: string): never => {
      reasons.push(reason);
      throw new Error("skipped");
    };
    const use = () => Promise.reject(new Error("the body ran"));
    await expect(useSettings({ hwEnvironment: {}, skip }, use)).rejects.toThrow("skipped");
    expect(reasons).toEqual([expect.stringContaining("TESSERA_ENABLE_HW_FAULTS=1")]);
  });
});
