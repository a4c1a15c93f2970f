import { TesseraError } from "../../../platform/errors/index.ts";
import { formatDurationMs } from "../../../platform/units/index.ts";
import type { Health } from "../health/index.ts";
import type { Mesh } from "../mesh/index.ts";

/** Devices that an operation needs. */
export interface DevicesNeeded {
  readonly health: Health;
  readonly op: string;
  readonly mesh: Mesh;
  readonly ranks: readonly number[];
  /** What the operation is doing, or when that depends on who is missing, a way to tell. */
  readonly phase: string | ((rank: number) => string);
  readonly axes?: readonly string[];
}

/**
 * What keeps the devices of these ranks from an operation, if anything does: lost ones first, then those
 * that hang, then those that fail. What is in force is told that it was met.
 */
export function deviceTrouble(needed: DevicesNeeded): TesseraError | undefined {
  const { health, mesh, ranks } = needed;
  if (health.empty) return undefined;
  const lost =
    health.deadDevices.size === 0 ? [] : ranks.filter((rank) => health.isDead(mesh.deviceOf(rank)));
  if (lost.length > 0) return deviceLost({ ...needed, ranks: lost });
  return hungDevice(needed) ?? failingDevice(needed);
}

/** @throws what `deviceTrouble` finds: E_DEVICE_LOST, E_TIMEOUT, E_CUDA, E_RANK_LOST */
export function requireDevices(needed: DevicesNeeded): void {
  const trouble = deviceTrouble(needed);
  if (trouble !== undefined) throw trouble;
}

/** Whether a device holds what can still be read. */
export function isReadable(health: Health, device: Mesh["devices"][number]): boolean {
  return !health.isDead(device) && health.hungBy(device) === undefined;
}

/** The error that every survivor of lost devices sees; at least one, and the message names the first. */
export function deviceLost(lost: DevicesNeeded): TesseraError<"E_DEVICE_LOST"> {
  const { health, op, mesh, ranks, axes } = lost;
  const rank = ranks[0] ?? 0;
  const device = mesh.deviceOf(rank);
  const cause = health.causeOf(device);
  for (const one of ranks) {
    const met = { kind: "dead", device: mesh.deviceOf(one) } as const;
    const text = `device ${met.device} (rank ${one}) is lost`;
    health.note(met, { op, what: "failed", text });
  }
  return new TesseraError("E_DEVICE_LOST", {
    op,
    device,
    rank,
    coordinates: placeOf(mesh, rank),
    phase: phaseOf(lost, rank),
    devices: JSON.stringify(ranks.map((one) => mesh.deviceOf(one))),
    ranks,
    ...(axes === undefined ? {} : { axes }),
    ...(cause === undefined ? {} : { cause }),
  });
}

function hungDevice(needed: DevicesNeeded): TesseraError<"E_TIMEOUT"> | undefined {
  const { health, op, mesh, ranks } = needed;
  const rank = ranks.find((one) => health.hungBy(mesh.deviceOf(one)) !== undefined);
  const hung = rank === undefined ? undefined : health.hungBy(mesh.deviceOf(rank));
  if (rank === undefined || hung === undefined) return undefined;
  const { device, timeoutMs } = hung;
  const phase = phaseOf(needed, rank);
  const text = `device ${device} (rank ${rank}) hangs`;
  health.note({ kind: "hung", device }, { op, what: "failed", text });
  return new TesseraError("E_TIMEOUT", {
    what: `${op}, which waits for device ${device} (rank ${rank}, ${placeOf(mesh, rank)}) in phase ${phase},`,
    timeout: formatDurationMs(timeoutMs),
    op,
    device,
    rank,
    ranks: [rank],
    phase,
    cause: "the device takes work and does not finish it",
  });
}

function failingDevice(needed: DevicesNeeded): TesseraError | undefined {
  const { health, op, mesh, ranks } = needed;
  for (const rank of ranks) {
    const device = mesh.deviceOf(rank);
    const failing = health.failingBy(device, op);
    if (failing === undefined) continue;
    const { error } = failing;
    const what = error.kind === "driver" ? error.name : error.problem;
    const text = `device ${device} (rank ${rank}): ${what}`;
    health.note({ kind: "failing", device }, { op, what: "failed", text });
    const phase = phaseOf(needed, rank);
    const facts = { op, device, rank, ranks: [rank], phase };
    if (error.kind === "worker") {
      return new TesseraError("E_RANK_LOST", { ...facts, problem: error.problem });
    }
    const { name, code, detail } = error;
    const call = `${op} on device ${device} (rank ${rank}, ${placeOf(mesh, rank)})`;
    return new TesseraError(
      "E_CUDA",
      { ...facts, call, name, code, detail },
      {
        hint: "Nothing was returned, and the device is still there: do it again, or go on from the last checkpoint.",
      },
    );
  }
  return undefined;
}

function phaseOf({ phase }: DevicesNeeded, rank: number): string {
  return typeof phase === "string" ? phase : phase(rank);
}

/** `tp 1, pp 0, dp 1`. */
export function placeOf(mesh: Mesh, rank: number): string {
  const coordinates = mesh.coordinatesOf(rank);
  return mesh.axes.map((axis, at) => `${axis} ${coordinates[at]}`).join(", ");
}
