import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { ArrivalOrder } from "../../../../src/chaos/sim/network/arrival-order.ts";

describe("the order of arrivals", () => {
  it("is that of a table that forgets nothing, for all that is still on its way", () => {
    const message = fc.record({
      connection: fc.oneof(
        fc.nat(20),
        fc.nat(2 ** 31 - 1),
        fc.integer({ min: 2 ** 40, max: 2 ** 41 }),
      ),
      afterUs: fc.nat(10),
      flightUs: fc.nat(100),
    });
    fc.assert(
      fc.property(fc.array(message, { maxLength: 200 }), (messages) => {
        const order = new ArrivalOrder();
        const last = new Map<number, number>();
        let nowUs = 0;
        for (const { connection, afterUs, flightUs } of messages) {
          nowUs += afterUs;
          const arrivalUs = nowUs + flightUs;
          const expected = Math.max(arrivalUs, last.get(connection) ?? 0);
          last.set(connection, expected);
          expect(order.inOrder(connection, arrivalUs, nowUs)).toBe(expected);
        }
      }),
    );
  });

  it("keeps those that are on their way when it grows", () => {
    const order = new ArrivalOrder();
    for (let connection = 0; connection < 9000; connection++) order.inOrder(connection, 500, 0);
    expect(order.size).toBe(9000);
    for (let connection = 0; connection < 9000; connection++) {
      expect(order.inOrder(connection, 400, 0)).toBe(500);
    }
  });

  it("does not grow with connections that are over", () => {
    const order = new ArrivalOrder();
    for (let connection = 0; connection < 50_000; connection++) {
      order.inOrder(connection, connection + 5, connection);
    }
    expect(order.size).toBeLessThanOrEqual(2049);
  });
});
