import type { CheckContext } from "../check.ts";
import { type DevicesWatch, noWatch } from "./devices-watch.ts";
import type { DlUnitOptions } from "./options.ts";

/** What watches the devices of an engine; telemetry is loaded only where there are GPUs. */
export async function openWatch(
  { clock, env, signal }: CheckContext<DlUnitOptions>,
  engine: "cuda" | "cpu",
): Promise<DevicesWatch> {
  if (engine === "cpu") return noWatch;
  const telemetry = await import("../../../runtime/cuda/telemetry/index.ts");
  const { watchDevices } = await import("./devices-watch.ts");
  const after = telemetry.markKernelLog({ clock });
  return watchDevices({
    clock,
    telemetry: telemetry.openGpuTelemetry({ env, clock }),
    readXids: () => telemetry.readXids({ after, clock, signal }),
  });
}
