import { answerOf, isTold, type NvmlGpu, nvmlResults, readU32, readU64 } from "./nvml-call.ts";
import type { GpuCounters } from "./telemetry.ts";

const eccTypes = { corrected: 0, uncorrected: 1 } as const;
/** Since the driver was loaded; the other kind counts for the life of the board. */
const eccVolatile = 0;
const retirementCauses = [0, 1];
const linksMax = 36;
const linkCounters = [0, 1, 2, 3, 4];

/** Counters that only grow. @throws E_CUDA when NVML answers with an error. */
export function readCounters(gpu: NvmlGpu): GpuCounters {
  return {
    eccCorrected: readEcc(gpu, eccTypes.corrected),
    eccUncorrected: readEcc(gpu, eccTypes.uncorrected),
    ...readRemappedRows(gpu),
    retiredPages: readRetiredPages(gpu),
    pcieReplays: readU32(gpu, "nvmlDeviceGetPcieReplayCounter", (nvml, device, into) =>
      nvml.nvmlDeviceGetPcieReplayCounter(device, into),
    ),
    nvlinkErrors: readLinkErrors(gpu),
    energyMj: readU64(gpu, "nvmlDeviceGetTotalEnergyConsumption", (nvml, device, into) =>
      nvml.nvmlDeviceGetTotalEnergyConsumption(device, into),
    ),
  };
}

function readEcc(gpu: NvmlGpu, type: number): number | null {
  return readU64(gpu, "nvmlDeviceGetTotalEccErrors", (nvml, device, into) =>
    nvml.nvmlDeviceGetTotalEccErrors(device, type, eccVolatile, into),
  );
}

function readRemappedRows(
  gpu: NvmlGpu,
): Pick<
  GpuCounters,
  "remappedRowsCorrectable" | "remappedRowsUncorrectable" | "remapPending" | "remapFailed"
> {
  const answer = Buffer.alloc(16);
  const [correctable, uncorrectable, pending, failed] = [0, 4, 8, 12].map((at) =>
    answer.subarray(at, at + 4),
  ) as [Buffer, Buffer, Buffer, Buffer];
  const told = isTold(gpu, "nvmlDeviceGetRemappedRows", (nvml, device) =>
    nvml.nvmlDeviceGetRemappedRows(device, correctable, uncorrectable, pending, failed),
  );
  return {
    remappedRowsCorrectable: told ? correctable.readUInt32LE() : null,
    remappedRowsUncorrectable: told ? uncorrectable.readUInt32LE() : null,
    remapPending: told ? pending.readUInt32LE() !== 0 : null,
    remapFailed: told ? failed.readUInt32LE() !== 0 : null,
  };
}

/** Only GPUs before Ampere retire pages; later ones replace rows. */
function readRetiredPages(gpu: NvmlGpu): number | null {
  let pages: number | null = null;
  for (const cause of retirementCauses) {
    // Without room for addresses NVML answers how many there are.
    const count = Buffer.alloc(4);
    const ask = () =>
      answerOf(gpu, (nvml, device) => nvml.nvmlDeviceGetRetiredPages(device, cause, count, null));
    const code = ask();
    const told =
      code === nvmlResults.insufficientSize ||
      isTold(gpu, "nvmlDeviceGetRetiredPages", () => code ?? nvmlResults.notSupported);
    if (told) pages = (pages ?? 0) + count.readUInt32LE();
  }
  return pages;
}

/** Over all links that are up; null when the GPU has none or does not count. */
function readLinkErrors(gpu: NvmlGpu): number | null {
  let errors: number | null = null;
  for (let link = 0; link < linksMax; link++) {
    const active = Buffer.alloc(4);
    const code = answerOf(gpu, (nvml, device) =>
      nvml.nvmlDeviceGetNvLinkState(device, link, active),
    );
    // A link that does not exist is an invalid argument: there are no more.
    if (code !== nvmlResults.success) break;
    if (active.readUInt32LE() === 0) continue;
    for (const counter of linkCounters) {
      const count = readU64(gpu, "nvmlDeviceGetNvLinkErrorCounter", (nvml, device, into) =>
        nvml.nvmlDeviceGetNvLinkErrorCounter(device, link, counter, into),
      );
      if (count !== null) errors = (errors ?? 0) + count;
    }
  }
  return errors;
}
