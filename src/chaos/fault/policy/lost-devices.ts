import { isTesseraError } from "../../../platform/errors/index.ts";
import { currentHealth } from "../../../runtime/dist/health/index.ts";
import type { DeviceId, Mesh } from "../../../runtime/dist/mesh/index.ts";

const failureCodes: ReadonlySet<string> = new Set([
  "E_DEVICE_LOST",
  "E_PARTITION",
  "E_TIMEOUT",
  "E_CUDA",
  "E_RANK_LOST",
]);

/** Whether an error says that something is broken, rather than that a program is wrong. */
export function isFailure(error: unknown): boolean {
  return isTesseraError(error) && failureCodes.has(error.code);
}

/** The devices that an error says are gone or hang: they cannot take part any more. */
export function lostDevices(error: unknown): readonly DeviceId[] {
  if (!isTesseraError(error)) return [];
  const { device, devices } = error.details;
  if (error.code === "E_DEVICE_LOST" && typeof devices === "string") {
    return JSON.parse(devices) as DeviceId[];
  }
  const isHung = error.code === "E_TIMEOUT";
  return isHung && (typeof device === "number" || typeof device === "string") ? [device] : [];
}

/** Whether what an error was about is in order again, as this async context sees it. */
export function isBackNow(error: unknown, mesh: Mesh | undefined): boolean {
  const health = currentHealth();
  const devices = lostDevices(error);
  if (devices.some((one) => health.isDead(one) || health.hungBy(one) !== undefined)) return false;
  if (!isTesseraError(error) || error.code !== "E_PARTITION") return true;
  const { from, to } = error.details;
  return health.linkBetween(from as DeviceId, to as DeviceId, mesh) === "up";
}
