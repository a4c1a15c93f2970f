import { TesseraError } from "../../../platform/errors/index.ts";
import { deviceLost } from "../array/device-lost.ts";
import type { Health } from "../health/index.ts";
import type { Mesh } from "../mesh/index.ts";
import type { Call } from "./call.ts";

export interface Journey {
  readonly mesh: Mesh;
  /** What is broken, as the rank that has come sees it. */
  readonly health: Health;
  readonly call: Call;
  /** The ranks that take part. */
  readonly members: readonly number[];
}

/** What keeps the members of an operation from acting together, if anything does. */
export function troubleOf(journey: Journey): TesseraError | undefined {
  const { health } = journey;
  if (health.empty) return undefined;
  return lostDevice(journey) ?? (health.hasCuts ? cutLink(journey) : undefined);
}

function lostDevice({ mesh, health, call, members }: Journey): TesseraError | undefined {
  if (health.deadDevices.size === 0) return undefined;
  const ranks = members.filter((rank) => health.isDead(mesh.deviceOf(rank)));
  const { op, phase } = call;
  return ranks.length === 0 ? undefined : deviceLost({ op, mesh, ranks, phase });
}

function cutLink({ mesh, health, call, members }: Journey): TesseraError | undefined {
  const { op, phase } = call;
  for (const [fromRank, toRank] of call.route(members)) {
    const from = mesh.deviceOf(fromRank);
    const to = mesh.deviceOf(toRank);
    if (health.linkBetween(from, to, mesh) === "up") continue;
    const ranks = [fromRank, toRank];
    return new TesseraError("E_PARTITION", { op, from, to, fromRank, toRank, phase, ranks });
  }
  return undefined;
}
