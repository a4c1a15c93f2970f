import { once } from "node:events";
import { connect } from "node:net";
import { describe, expect, test } from "vitest";
import { openRendezvous } from "../../../../src/runtime/ranks/index.ts";
import { clock, joinHere, rendezvousHere, secret, worldHere } from "../support/here.ts";

describe("the rendezvous", () => {
  test("ranks that meet exchange values, in the order of their ranks", async () => {
    const worlds = await worldHere(3);
    const gathered = await Promise.all(worlds.map((world) => world.gather({ from: world.rank })));
    for (const values of gathered) expect(values).toEqual([{ from: 0 }, { from: 1 }, { from: 2 }]);
    const told = await Promise.all(
      worlds.map((world) => world.broadcast(world.rank * 10, { root: 2 })),
    );
    expect(told).toEqual([20, 20, 20]);
    await Promise.all(worlds.map((world) => world.barrier()));
  });

  test("the ranks that do not come are named", async () => {
    const { place } = await rendezvousHere(4);
    const joined = await Promise.allSettled(
      [0, 2].map((rank) => joinHere(place, { rank, worldSize: 4, timeoutMs: 1000 })),
    );
    for (const one of joined) {
      expect(one).toMatchObject({
        status: "rejected",
        reason: { code: "E_RENDEZVOUS", message: expect.stringContaining("ranks 1 and 3 of 4") },
      });
    }
  });

  test("nobody at the rendezvous is said so within the limit", async () => {
    const gone = await openRendezvous({ worldSize: 2, secret, clock });
    await gone.close();
    const place = `127.0.0.1:${gone.address.port}`;
    await expect(joinHere(place, { rank: 0, worldSize: 2, timeoutMs: 150 })).rejects.toMatchObject({
      code: "E_RENDEZVOUS",
      message: expect.stringContaining("nobody answered"),
    });
  });

  test.each([
    ["another secret", { secret: "not the one" }, "secret"],
    ["another version", { version: "0.0.1" }, "Tessera 0.0.1"],
    ["another number of ranks", { worldSize: 3 }, "expects 3 ranks"],
    ["a rank beyond the last", { rank: 7 }, "no rank 7"],
  ])("%s is refused and named", async (_, change, words) => {
    const { place } = await rendezvousHere(2);
    const attempt = joinHere(place, { rank: 1, worldSize: 2, ...change });
    await expect(attempt).rejects.toMatchObject({
      code: "E_RENDEZVOUS",
      message: expect.stringContaining(words),
    });
  });

  test("of two that say they are the same rank one is refused, and the other is not disturbed", async () => {
    const { place } = await rendezvousHere(2);
    const twins = [0, 0].map((rank) => joinHere(place, { rank, worldSize: 2 }));
    const refused = await Promise.any(
      twins.map(async (twin) => {
        await expect(twin).rejects.toMatchObject({ code: "E_RENDEZVOUS" });
        return twin.catch((error: Error) => error.message);
      }),
    );
    expect(refused).toContain("rank 0 is already here");
    const other = await joinHere(place, { rank: 1, worldSize: 2 });
    const [one, two] = await Promise.allSettled(twins);
    expect(new Set([one?.status, two?.status])).toEqual(new Set(["fulfilled", "rejected"]));
    expect(other.peers).toHaveLength(2);
  });

  test("garbage, silence and connections that close at once do not disturb it", async () => {
    const { place, address } = await rendezvousHere(2);
    const strangers = ["GET / HTTP/1.1\r\n\r\n", "\u0000\u0000\u0000\u0002{}", ""].map((text) => {
      const socket = connect(address.port, address.host);
      socket.on("error", () => {}).resume();
      socket.write(text);
      return socket;
    });
    const [zero, one] = await Promise.all([
      joinHere(place, { rank: 0, worldSize: 2 }),
      joinHere(place, { rank: 1, worldSize: 2 }),
    ]);
    expect(await Promise.all([zero.gather("a"), one.gather("b")])).toEqual([
      ["a", "b"],
      ["a", "b"],
    ]);
    for (const socket of strangers.slice(0, 2)) {
      if (!socket.closed) await once(socket, "close");
    }
    strangers[2]?.destroy();
  });

  test("every rank hears the same reason when one gives up, and its waits end", async () => {
    const worlds = await worldHere(3);
    const waits = worlds.slice(0, 2).map((world) => world.barrier());
    worlds[2]?.abort("its GPU fell off the bus");
    for (const wait of waits) {
      await expect(wait).rejects.toMatchObject({
        code: "E_RANK_LOST",
        message: expect.stringContaining(
          "Rank 2 did not come to its end: its GPU fell off the bus",
        ),
      });
    }
  });

  test("a rank that does not come to a barrier is named; one that comes in time is not", async () => {
    const worlds = await worldHere(2);
    await Promise.all(worlds.map((world) => world.barrier({ timeoutMs: 60_000 })));
    await expect(worlds[0]?.barrier({ timeoutMs: 100 })).rejects.toMatchObject({
      code: "E_RANK_LOST",
      message: expect.stringContaining("rank 1 did not come to a barrier"),
    });
  });

  test("ranks that wait for different things are told so", async () => {
    const worlds = await worldHere(2);
    const waits = await Promise.allSettled([worlds[0]?.barrier(), worlds[1]?.gather(1)]);
    for (const wait of waits) {
      expect(wait).toMatchObject({
        reason: { message: expect.stringContaining("while others are") },
      });
    }
  });

  test("a rank that left is named by those who wait for it", async () => {
    const worlds = await worldHere(2);
    const wait = worlds[0]?.barrier();
    await worlds[1]?.leave();
    await expect(wait).rejects.toMatchObject({
      code: "E_RANK_LOST",
      message: expect.stringContaining("Rank 1"),
    });
  });
});
