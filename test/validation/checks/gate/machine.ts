import type { Sighting } from "../../../../src/validation/checks/gate/index.ts";

const mib = 2 ** 20;

/** The GPU with this number, as sightings name it. */
export function gpuOf(index: number) {
  return { index, uuid: `GPU-${index}`, pciBusId: `0000:${index}9:00.0`, minor: index };
}

/** The same machine with other numbers of the device files, in the driver's order. */
export function withMinors(
  sightings: readonly Sighting[],
  minors: readonly (number | undefined)[],
): readonly Sighting[] {
  const gpus = minors.map((minor, index) => ({ ...gpuOf(index), minor }));
  return changed(sightings, "driver", { gpus });
}

/** A healthy machine with these many GPUs, line by line. */
export function healthy(gpus: number): readonly Sighting[] {
  const listed = Array.from({ length: gpus }, (_, index) => gpuOf(index));
  return [
    { saw: "memory", availableBytes: 4096 * mib },
    { saw: "folder", path: "/tmp", freeBytes: 1024 * mib },
    {
      saw: "driver",
      onBus: gpus,
      inKernel: gpus,
      isDivided: false,
      isLoaded: gpus > 0,
      isAnswer: gpus > 0,
      ...(gpus > 0 ? { gpus: listed } : { problem: "no libnvidia-ml.so.1 was found" }),
    },
    ...listed.map(({ uuid }) => ({ saw: "gpu" as const, uuid, ...quiet })),
    ...(gpus > 0 ? [{ saw: "xids" as const, events: [] }] : []),
  ];
}

const quiet = { eccUncorrected: 0, remapPending: false, remapFailed: false, pids: [] };

/** The same with one line changed: the first of that kind. */
export function changed<Kind extends Sighting["saw"]>(
  sightings: readonly Sighting[],
  kind: Kind,
  change: Partial<Extract<Sighting, { saw: Kind }>>,
): readonly Sighting[] {
  const at = sightings.findIndex(({ saw }) => saw === kind);
  return sightings.map((seen, index) => (index === at ? { ...seen, ...change } : seen));
}
