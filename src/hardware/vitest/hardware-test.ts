import { test } from "vitest";
import type { ManagedDeploymentOptions } from "../harness/index.ts";
import { type HardwareSettings, useSettings } from "./settings.ts";

/** What a hardware test is given. */
export interface HardwareFixtures {
  /** Where settings are read. @default the environment of the process */
  readonly hwEnvironment: Readonly<Record<string, string | undefined>>;
  /** Who to test; the test is skipped, with the reason printed, unless faults are enabled. */
  readonly hwSettings: HardwareSettings;
  /** The namespace under test. */
  readonly namespace: string;
  /** For `ManagedDeployment.start({ ...hw, request })`: where, who, enabled, and ended with the test. */
  readonly hw: ManagedDeploymentOptions;
}

/**
 * `test` of Vitest for tests that break hardware on purpose. They are skipped unless
 * TESSERA_ENABLE_HW_FAULTS is set; TESSERA_HW_NAMESPACE and TESSERA_HW_DEPLOYMENT say what to break.
 * Vitest refuses flags that it does not know, so that these are variables and no flags.
 */
export const hardwareTest = test.extend<HardwareFixtures>({
  hwEnvironment: [process.env, { injected: false }],
  hwSettings: async ({ hwEnvironment, skip }, use) => {
    await useSettings({ hwEnvironment, skip: (reason) => skip(reason) }, use);
  },
  namespace: async ({ hwSettings }, use) => {
    await use(hwSettings.namespace);
  },
  hw: async ({ hwSettings, signal }, use) => {
    await use({ ...hwSettings, enableHwFaults: true, signal });
  },
});
