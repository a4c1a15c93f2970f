import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type LinkScope, never } from "../../../../src/chaos/sim/network/index.ts";
import { all, cut, start, still } from "./still-network.ts";

describe("a delivery", () => {
  it("takes as long as its way: within a node, a rack, the fleet, or to the controller", () => {
    const { network } = start();
    expect(network.deliver(0, 0, 100)).toBe(0);
    expect(network.deliver(0, 1, 100)).toBe(2);
    expect(network.deliver(0, 2, 100)).toBe(11);
    expect(network.deliver(0, 4, 100)).toBe(32);
    expect(network.deliver(0, network.controller, 100)).toBe(101);
    expect(network.deliver(network.controller, 7, 0)).toBe(100);
  });

  it("of bulk waits for earlier bulk of its sender, small messages do not, nor do other senders", () => {
    const { network } = start();
    expect(network.deliver(0, 2, 10_000)).toBe(110);
    expect(network.deliver(0, 3, 10_000)).toBe(210);
    expect(network.deliver(1, 3, 10_000)).toBe(110);
    expect(network.deliver(0, 3, 100)).toBe(11);
    expect(network.transferUs(0, 3, 10_000)).toBe(110);
  });

  it("does not overtake an earlier one between the same ends, whatever the jitter", () => {
    const jittery = { ...still, rack: { latencyUs: 10, bytesPerUs: 100, jitterUs: 500 } };
    const times = (seed: number) => {
      const { network, wait } = start(jittery);
      for (let draw = 0; draw < seed; draw++) network.deliver(0, 2, 1);
      return Array.from({ length: 60 }, () => {
        wait(7);
        return network.deliver(0, 2, 50);
      });
    };
    fc.assert(
      fc.property(fc.nat(50), (seed) => {
        const arrivals = times(seed);
        expect(arrivals).toEqual(arrivals.toSorted((a, b) => a - b));
        expect(arrivals).toEqual(times(seed));
        expect(new Set(arrivals).size).toBeGreaterThan(3);
      }),
      { numRuns: 20 },
    );
  });

  it("does not overtake an earlier one to the controller or from it; other ways know nothing of that", () => {
    const jittery = { ...still, control: { latencyUs: 10, bytesPerUs: 100, jitterUs: 500 } };
    const { network, wait } = start(jittery);
    const { controller } = network;
    const ways = [
      [1, controller],
      [controller, 1],
      [2, controller],
    ] as const;
    const arrivals = ways.map((): number[] => []);
    for (let sent = 0; sent < 60; sent++) {
      wait(7);
      for (const [way, [from, to]] of ways.entries()) {
        arrivals[way]?.push(network.deliver(from, to, 50));
      }
    }
    for (const times of arrivals) expect(times).toEqual(times.toSorted((a, b) => a - b));
    const all = arrivals[0]?.flatMap((_, at) => arrivals.map((times) => times[at] ?? 0)) ?? [];
    expect(all).not.toEqual(all.toSorted((a, b) => a - b));
  });

  it("from a lost node, or to one, never arrives; from a dead device on a node that is up it may", () => {
    const { machines, network } = start();
    const lost = machines.loseNode(1);
    expect(network.deliver(2, 0, 1)).toBe(never);
    expect(network.deliver(0, 3, 1)).toBe(never);
    expect(network.transferUs(0, 3, 1)).toBe(never);
    expect(network.canTalk(0, 3)).toBe(false);
    expect(network.deliver(0, 4, 1)).toBeLessThan(never);
    machines.undo(lost);
    machines.killDevice(3);
    expect(network.deliver(0, 3, 1)).toBeLessThan(never);
  });

  it("to nowhere is refused", () => {
    const { network } = start();
    expect(() => network.deliver(0, 9, 1)).toThrow("end of the network");
    expect(() => network.apply({ kind: "link", from: 0, to: 99 }, cut)).toThrow("end");
  });
});

describe("a cut", () => {
  it("separates sides from each other and from who is on none, and nothing within a side", () => {
    const { network } = start();
    network.apply({ kind: "between", sides: [[0, 1], [2]], direction: "both" }, cut);
    const canTalk = (one: number, other: number) => network.canTalk(one, other);
    expect([canTalk(0, 1), canTalk(0, 2), canTalk(0, 5), canTalk(2, 5), canTalk(5, 6)]).toEqual([
      true,
      false,
      false,
      false,
      true,
    ]);
  });

  it("leaves the controller with slot 0, or where a side names it", () => {
    const { network } = start();
    const { controller } = network;
    const usual = network.apply({ kind: "between", sides: [[2, 3]], direction: "both" }, cut);
    expect([network.canTalk(controller, 0), network.canTalk(controller, 2)]).toEqual([true, false]);
    network.undo(usual);
    network.apply({ kind: "between", sides: [[2, controller]], direction: "both" }, cut);
    expect([network.canTalk(controller, 0), network.canTalk(controller, 2)]).toEqual([false, true]);
  });

  it("in one direction lets the other one pass", () => {
    const { network } = start();
    network.apply(
      {
        kind: "between",
        sides: [
          [0, 1],
          [2, 3],
        ],
        direction: "forward",
      },
      cut,
    );
    expect(network.deliver(0, 2, 1)).toBe(never);
    expect(network.deliver(2, 0, 1)).toBe(11);
    expect(network.deliver(5, 0, 1)).toBeLessThan(never);
    expect(network.deliver(0, 5, 1)).toBe(never);
    expect(network.canTalk(0, 2)).toBe(false);
  });

  it("of one link, of links that touch, and of links inside a group hits those alone", () => {
    const open = (scope: LinkScope) => {
      const { network } = start();
      network.apply(scope, cut);
      return [
        [0, 1],
        [1, 0],
        [0, 4],
        [4, 5],
      ].filter(([from = 0, to = 0]) => network.stateOf(from, to).isOpen).length;
    };
    expect(open({ kind: "link", from: 0, to: 1 })).toBe(3);
    expect(open({ kind: "touching", ends: [1] })).toBe(2);
    expect(open({ kind: "inside", ends: [0, 1, 4] })).toBe(1);
    expect(open({ kind: "inside", ends: [7] })).toBe(4);
  });

  it("holds what is sent until it ends, and lets it arrive in order at the next retransmission", () => {
    const { network, arrived, send, wait, engine } = start();
    const handle = network.apply(all, cut);
    send(0, 2, 1);
    wait(100);
    send(0, 2, 2);
    send(4, 6, 9);
    wait(1400);
    expect(network.held).toBe(3);
    network.undo(handle);
    // Behind those that are held, though the link is open.
    send(0, 2, 3);
    engine.run(1e6);
    // The first was sent at 0 and tried again at 1,000 and at 3,000; the last at 100, so at 3,100.
    expect(arrived).toEqual(["3011 1", "3011 2", "3011 3", "3111 9"]);
    expect(network.held).toBe(0);
  });

  it("that is followed by another goes on holding", () => {
    const { network, arrived, send, wait, engine } = start();
    const first = network.apply(all, cut);
    send(0, 2, 1);
    wait(500);
    network.undo(first);
    const second = network.apply(all, cut);
    wait(2000);
    expect(arrived).toEqual([]);
    network.undo(second);
    engine.run(1e6);
    expect(arrived).toEqual(["3011 1"]);
  });

  it("that lasts longer than a transport tries breaks the connection", () => {
    const { network, arrived, send, wait, engine } = start();
    const handle = network.apply(all, cut);
    expect(send(0, 2, 1)).toBe(true);
    wait(31_001);
    network.undo(handle);
    expect(network.held).toBe(0);
    send(0, 2, 2);
    engine.run(1e6);
    expect(arrived).toEqual(["31012 2"]);
  });

  it("is tried anew by what is sent after a node was lost and came back", () => {
    const { machines, network, arrived, send, wait, engine } = start();
    network.apply(all, { kind: "flap", downUs: 900, upUs: 9000 });
    send(0, 2, 1);
    wait(500);
    machines.undo(machines.loseNode(1));
    wait(100);
    send(0, 2, 2);
    engine.run(1e6);
    // What was lost would have been sent again at 1,000.
    expect(arrived).toEqual(["1611 2"]);
  });

  it("loses what is held when a node of either end is lost", () => {
    const { machines, network, arrived, send, engine } = start();
    const handle = network.apply(all, cut);
    send(0, 2, 1);
    send(4, 6, 2);
    const lost = machines.loseNode(1);
    expect(network.held).toBe(1);
    expect(send(0, 2, 3)).toBe(false);
    machines.undo(lost);
    network.undo(handle);
    engine.run(1e6);
    expect(arrived).toEqual(["1011 2"]);
  });
});
