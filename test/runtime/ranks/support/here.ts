import { onTestFinished } from "vitest";
import { createRealClock } from "../../../../src/platform/time/index.ts";
import {
  type JoinOptions,
  joinWorld,
  openRendezvous,
  type Rendezvous,
  type World,
} from "../../../../src/runtime/ranks/index.ts";
import { formatAddress } from "../../../../src/runtime/ranks/wire/address.ts";

export const clock = createRealClock();
export const secret = "a secret of these tests alone";

/** A rendezvous that is closed when the test ends. */
export async function rendezvousHere(worldSize: number): Promise<Rendezvous & { place: string }> {
  const rendezvous = await openRendezvous({ worldSize, secret, clock });
  onTestFinished(() => rendezvous.close());
  return { ...rendezvous, place: formatAddress(rendezvous.address) };
}

/** One rank, in this process; it leaves when the test ends. */
export async function joinHere(
  rendezvous: string,
  about: Pick<JoinOptions, "rank" | "worldSize"> & Partial<JoinOptions>,
): Promise<World> {
  const stop = new AbortController();
  const world = await joinWorld({ rendezvous, secret, clock, signal: stop.signal, ...about });
  onTestFinished(() => world.leave());
  return world;
}

/** All ranks of a world, in this process. */
export async function worldHere(worldSize: number): Promise<readonly World[]> {
  const { place } = await rendezvousHere(worldSize);
  const ranks = Array.from({ length: worldSize }, (_, rank) => rank);
  return Promise.all(ranks.map((rank) => joinHere(place, { rank, worldSize })));
}
