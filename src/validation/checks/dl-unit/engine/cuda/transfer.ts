import type { CudaDevice } from "../../../../../runtime/cuda/index.ts";
import type { Mismatch, TransferResult } from "../engine.ts";

/** Copies pinned memory to the GPU and back, each way timed by itself. */
export async function transferBothWays(
  device: CudaDevice,
  { bytes, rounds }: { readonly bytes: number; readonly rounds: number },
): Promise<TransferResult> {
  const { stream, memory } = device;
  using sent = memory.allocatePinned(bytes);
  using back = memory.allocatePinned(bytes);
  using buffer = memory.allocate(bytes, { purpose: "copies between host and device" });
  fillWithWords(sent.bytes);
  back.bytes.fill(0);
  const [toDeviceGbps, toHostGbps]: [number[], number[]] = [[], []];
  for (let round = 0; round < rounds; round++) {
    using start = device.createEvent();
    using middle = device.createEvent();
    using end = device.createEvent();
    stream.record(start);
    stream.upload({ buffer }, sent.bytes);
    stream.record(middle);
    stream.download({ buffer }, back.bytes);
    stream.record(end);
    await stream.settled();
    toDeviceGbps.push(bytes / middle.elapsedMsSince(start) / 1e6);
    toHostGbps.push(bytes / end.elapsedMsSince(middle) / 1e6);
  }
  return { toDeviceGbps, toHostGbps, mismatch: firstDifference(sent.bytes, back.bytes) };
}

/** Words of which no two neighbours are alike. */
function fillWithWords(bytes: Uint8Array): void {
  const words = new Uint32Array(bytes.buffer, bytes.byteOffset, Math.floor(bytes.length / 4));
  for (let at = 0; at < words.length; at++) words[at] = Math.imul(at + 1, 0x9e37_79b1);
}

function firstDifference(sent: Uint8Array, back: Uint8Array): Mismatch | undefined {
  if (Buffer.compare(sent, back) === 0) return undefined;
  let wrong = 0;
  let first = "";
  for (let at = 0; at < sent.length; at++) {
    if (sent[at] === back[at]) continue;
    wrong++;
    if (wrong === 1) first = `byte ${at}: ${sent[at]} sent, ${back[at]} came back`;
  }
  return { wrong, first };
}
