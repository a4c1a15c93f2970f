export { type HardwareFixtures, hardwareTest } from "./hardware-test.ts";
export { type HardwareSettings, readSettings, type SettingsFound } from "./settings.ts";
