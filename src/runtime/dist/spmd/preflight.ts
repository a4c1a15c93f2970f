import type { TesseraError } from "../../../platform/errors/index.ts";
import { deviceTrouble } from "../array/device-lost.ts";
import { linkCut } from "../array/link-cut.ts";
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
  const { health, mesh, members, call } = journey;
  if (health.empty) return undefined;
  const { op, phase } = call;
  const trouble = deviceTrouble({ health, op, mesh, ranks: members, phase });
  return trouble ?? (health.hasCuts ? cutLink(journey) : undefined);
}

function cutLink({ mesh, health, call, members }: Journey): TesseraError | undefined {
  const { op, phase } = call;
  for (const [fromRank, toRank] of call.route(members)) {
    const from = mesh.deviceOf(fromRank);
    const to = mesh.deviceOf(toRank);
    if (health.linkBetween(from, to, mesh) === "up") continue;
    const ends = { from: { mesh, rank: fromRank }, to: { mesh, rank: toRank } };
    return linkCut({ health, op, phase, ...ends });
  }
  return undefined;
}
