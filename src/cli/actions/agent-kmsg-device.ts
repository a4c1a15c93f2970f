import { resolve } from "node:path";
import { runKmsgDevice } from "../../hardware/device-plugin/index.ts";
import { exitCodes } from "../../platform/errors/index.ts";
import type { Action } from "../invocation.ts";
import { usageError } from "../usage-error.ts";

const devicesMax = 64;

/** `tessera agent kmsg-device`: until it is stopped. */
export const run: Action = async ({ options, io, clock, signal, log }) => {
  const { folder = "/var/lib/kubelet/device-plugins", path = "/dev/kmsg", devices = "4" } = options;
  const count = Number(devices);
  if (!Number.isInteger(count) || count < 1 || count > devicesMax) {
    throw usageError("agent kmsg-device", `--devices is a whole number from 1 to ${devicesMax}.`);
  }
  await runKmsgDevice({
    folder: resolve(io.cwd, String(folder)),
    path: resolve(io.cwd, String(path)),
    devices: count,
    clock,
    signal,
    log: await log(),
  });
  return exitCodes.good;
};
