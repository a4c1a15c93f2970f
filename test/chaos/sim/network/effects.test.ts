import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { shutLinks, sumUs } from "../../../../src/chaos/sim/job/link-times.ts";
import { type LinkEffect, type LinkScope, never } from "../../../../src/chaos/sim/network/index.ts";
import { all, cut, start } from "./still-network.ts";

describe("effects", () => {
  it("of latency add up, and end one by one", () => {
    const { network } = start();
    const one = network.apply(all, { kind: "latency", extraUs: 100, jitterUs: 0 });
    network.apply({ kind: "link", from: 0, to: 2 }, { kind: "latency", extraUs: 7, jitterUs: 0 });
    expect(network.deliver(0, 2, 100)).toBe(118);
    expect(network.deliver(2, 0, 100)).toBe(111);
    network.undo(one);
    expect(network.stateOf(0, 2).latencyUs).toBe(17);
    expect(network.undo(one)).toBe(false);
  });

  it("of jitter spread arrivals over their bounds", () => {
    const { network } = start();
    network.apply(all, { kind: "latency", extraUs: 0, jitterUs: 1000 });
    const arrivals = Array.from({ length: 8 * 7 }, (_, at) => [at % 8, Math.floor(at / 8)] as const)
      .filter(([from, to]) => from !== to)
      .map(([from, to]) => network.deliver(from, to, 0) - network.stateOf(from, to).latencyUs);
    expect(arrivals.every((us) => us >= 0 && us <= 1000)).toBe(true);
    expect(Math.max(...arrivals) - Math.min(...arrivals)).toBeGreaterThan(500);
  });

  it("of bandwidth take the narrowest", () => {
    const { network } = start();
    network.apply(all, { kind: "bandwidth", bytesPerUs: 10 });
    network.apply(all, { kind: "bandwidth", bytesPerUs: 40 });
    expect(network.transferUs(0, 2, 10_000)).toBe(1010);
  });

  it("of loss cost time and no message, more with more loss", () => {
    const delays = (share: number) => {
      const { network, send, arrived, wait } = start();
      if (share > 0) network.apply(all, { kind: "loss", share });
      return Array.from({ length: 400 }, (_, at) => {
        send(0, 2, at);
        wait(100_000);
        return Number.parseInt(arrived.at(-1) ?? "", 10) - at * 100_000;
      });
    };
    const mean = (values: readonly number[]) => values.reduce((a, b) => a + b, 0) / values.length;
    const [none, few, many] = [delays(0), delays(0.01), delays(0.2)];
    expect(new Set(none)).toEqual(new Set([11]));
    expect(mean(few)).toBeGreaterThan(mean(none));
    expect(mean(many)).toBeGreaterThan(5 * mean(few));
    // One in five is sent again after 1,000 us at least: 80 of 400, with a deviation of 8.
    const again = many.filter((us) => us > 1000).length;
    expect(Math.abs(again - 80)).toBeLessThan(32);
  });

  it("of loss narrow bulk transfers, of most packets break connections, of all are a cut", () => {
    const { network, send, arrived, wait } = start();
    const clear = network.transferUs(0, 2, 1e6);
    const some = network.apply(all, { kind: "loss", share: 0.05 });
    expect(network.transferUs(0, 2, 1e6)).toBeGreaterThan(2 * clear);
    network.undo(some);
    const most = network.apply(all, { kind: "loss", share: 0.95 });
    for (let at = 0; at < 200; at++) {
      send(0, 2, at);
      wait(100_000);
    }
    // Six tries, each of which fails with 95 %: 53 of 200 get through, with a deviation of 6.
    expect(Math.abs(arrived.length - 53)).toBeLessThan(25);
    expect(network.held).toBe(0);
    network.undo(most);
    network.apply(all, { kind: "loss", share: 1 });
    expect(network.canTalk(0, 2)).toBe(false);
    expect(network.transferUs(0, 2, 1)).toBe(never);
  });

  it("of loss are over when the loss is: what was lost passes with its next try", () => {
    const { network, send, arrived, wait, engine } = start();
    const handle = network.apply(all, { kind: "loss", share: 0.999999 });
    send(0, 2, 1);
    wait(2500);
    expect([arrived, network.held]).toEqual([[], 1]);
    network.undo(handle);
    engine.run(1e6);
    // Tried at 0 and at 1,000 in vain, and at 3,000.
    expect(arrived).toEqual(["3011 1"]);
  });

  it("of loss hit each message by itself: who has got one through counts its tries anew", () => {
    const { network, send, arrived, wait, engine } = start();
    network.apply(all, { kind: "loss", share: 0.5 });
    const gapsUs: number[] = [];
    for (let round = 0; round < 200; round++) {
      const sentUs = engine.nowUs;
      const before = arrived.length;
      for (const message of [1, 2]) send(0, 2, message);
      wait(200_000);
      const [first, second] = arrived.slice(before).map((line) => Number.parseInt(line, 10));
      // The first was late, and the second later still.
      if (first === undefined || second === undefined || first === second) continue;
      if (first - sentUs > 1000) gapsUs.push(second - first);
    }
    // After one try in vain the next wait would be 2,000 us, if it went on with that.
    expect(Math.min(...gapsUs)).toBe(1000);
  });

  it("of flapping delay until a retransmission finds the link up", () => {
    const { network, wait } = start();
    network.apply(all, { kind: "flap", downUs: 1500, upUs: 500 });
    expect(network.stateOf(0, 2)).toMatchObject({ isOpen: false, opensUs: 1500 });
    expect(network.deliver(0, 2, 100)).toBe(never);
    wait(1600);
    expect(network.stateOf(0, 2).isOpen).toBe(true);
    expect(network.deliver(0, 2, 100)).toBe(1611);
    expect(network.transferUs(0, 2, 100)).toBe(11);
    wait(300);
    expect(network.deliver(0, 2, 100)).toBe(1911);
  });

  it("of flapping break a connection that is met down each time", () => {
    const { network, send, arrived, engine } = start();
    network.apply(all, { kind: "flap", downUs: 1500, upUs: 500 });
    send(0, 2, 1);
    engine.run(1e6);
    // Tried at 0, 1,000, 3,000, 7,000, 15,000 and 31,000: 0 or 1,000 after it went down.
    expect([arrived, network.held]).toEqual([[], 0]);
  });

  it("of flapping hold nothing for ever: what is sent later arrives, behind what was sent before", () => {
    const { network, send, arrived, engine } = start();
    network.apply(all, { kind: "flap", downUs: 1500, upUs: 2000 });
    expect([send(0, 2, 1), send(0, 2, 2)]).toEqual([true, true]);
    expect(network.held).toBe(2);
    engine.run(1e6);
    // Tried at 0 and at 1,000 in vain, and at 3,000.
    expect(arrived).toEqual(["3011 1", "3011 2"]);
    expect(network.held).toBe(0);
  });

  it("of flapping are over when the flapping is, whatever the link would have done later", () => {
    const { network, send, arrived, wait, engine } = start();
    // Without an end it would be met down at 3,000, 7,000 and 15,000 as well, and for the last time at 31,000.
    const handle = network.apply(all, { kind: "flap", downUs: 1500, upUs: 500 });
    send(0, 2, 1);
    wait(1200);
    network.undo(handle);
    engine.run(1e6);
    expect(arrived).toEqual(["3011 1"]);
  });

  it("of flapping keep only what meets them: a cut that comes in between holds it further", () => {
    const { network, send, arrived, wait, engine } = start();
    network.apply(all, { kind: "flap", downUs: 1500, upUs: 2000 });
    send(0, 2, 1);
    wait(2000);
    const handle = network.apply(all, cut);
    wait(2000);
    expect(arrived).toEqual([]);
    network.undo(handle);
    engine.run(1e6);
    // Tried at 3,000, when it was cut; at 7,000 and at 15,000, when the link was down; and at 31,000.
    expect(arrived).toEqual(["31011 1"]);
  });

  it("of a cut that ends while the link is down hand on what was held once it is up", () => {
    const { network, send, arrived, engine } = start();
    network.apply(all, { kind: "flap", downUs: 4000, upUs: 4000 });
    const handle = network.apply(all, cut);
    send(0, 2, 1);
    expect(network.held).toBe(1);
    network.undo(handle);
    engine.run(1e6);
    // Tried at 1,000 and at 3,000, when the link was down, and at 7,000.
    expect(arrived).toEqual(["7011 1"]);
  });

  it("of flapping shut the links of an exchange and take nothing from their speed; a cut does both", () => {
    const { network, wait } = start();
    const slots = [0, 2, 4];
    const clearUs = sumUs(network, slots, { bytes: 100, isDisturbed: true });
    expect(shutLinks(network, slots)).toEqual([]);
    const link = { kind: "link", from: 0, to: 2 } as const;
    const flap = network.apply(link, { kind: "flap", downUs: 1500, upUs: 2000 });
    expect(shutLinks(network, slots)).toEqual([{ from: 0, to: 2 }]);
    expect(sumUs(network, slots, { bytes: 100, isDisturbed: true })).toBe(clearUs);
    wait(1600);
    expect(shutLinks(network, slots)).toEqual([]);
    network.undo(flap);
    network.apply(all, cut);
    expect(shutLinks(network, slots)).toHaveLength(6);
    expect(sumUs(network, slots, { bytes: 100, isDisturbed: true })).toBe(never);
  });

  it.each<LinkEffect>([
    { kind: "latency", extraUs: -1, jitterUs: 0 },
    { kind: "latency", extraUs: 0.5, jitterUs: 0 },
    { kind: "loss", share: 1.5 },
    { kind: "bandwidth", bytesPerUs: 0 },
    { kind: "flap", downUs: 0, upUs: 0 },
  ])("that cannot be are refused: %o", (effect) => {
    const { network } = start();
    expect(() => network.apply(all, effect)).toThrow();
    expect(network.lookForFaults()).toEqual([]);
  });

  it("are seen by a look at the links until they are undone", () => {
    const { network } = start();
    const pair: LinkScope = { kind: "link", from: 0, to: 1 };
    const handles = [
      network.apply({ kind: "between", sides: [[0, 1], [2]], direction: "both" }, cut),
      network.apply(pair, { kind: "latency", extraUs: 5, jitterUs: 1 }),
      network.apply({ kind: "inside", ends: [0, 1] }, { kind: "loss", share: 0.05 }),
      network.apply(all, { kind: "flap", downUs: 1, upUs: 2 }),
    ];
    expect(network.lookForFaults()).toEqual([
      "links between {0 1} and {2}: cut",
      "the link from 0 to 1: 5 us more latency, 1 us more jitter",
      "links among {0 1}: 5 % loss",
      "links of {0 1 2 3 4 5 6 7}: down 1 us, up 2 us, again and again",
    ]);
    for (const handle of handles) network.undo(handle);
    expect(network.lookForFaults()).toEqual([]);
  });

  it("leave no trace in deliveries once they are undone", () => {
    const effect = fc.oneof(
      fc.constant(cut),
      fc.constant<LinkEffect>({ kind: "latency", extraUs: 50, jitterUs: 0 }),
      fc.constant<LinkEffect>({ kind: "bandwidth", bytesPerUs: 1 }),
      fc.constant<LinkEffect>({ kind: "flap", downUs: 5, upUs: 5 }),
      fc.constant<LinkEffect>({ kind: "loss", share: 0.5 }),
    );
    fc.assert(
      fc.property(fc.array(effect, { maxLength: 6 }), fc.nat(), (effects, order) => {
        const { network } = start();
        const handles = effects.map((one) => network.apply(all, one));
        while (handles.length > 0) {
          for (const handle of handles.splice(order % handles.length, 1)) network.undo(handle);
        }
        expect(network.deliver(0, 2, 100)).toBe(11);
        expect(network.deliver(0, network.controller, 100)).toBe(101);
      }),
    );
  });
});
