import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  controlBytes,
  controlProblem,
  decodeControl,
  emptyControl,
  encodeControl,
  withExpiry,
} from "../../../src/hardware/shim/control-block.ts";

const codes = fc.record({
  inFlight: fc.integer({ min: 0, max: 999 }),
  onInit: fc.integer({ min: 0, max: 999 }),
  sticky: fc.boolean(),
});
const fault = fc.record(
  {
    xid: fc.integer({ min: 1, max: 200 }),
    gpus: fc
      .uniqueArray(fc.integer({ min: 0, max: 63 }), { minLength: 1, maxLength: 8 })
      .map((gpus) => gpus.toSorted((a, b) => a - b)),
    afterCalls: fc.integer({ min: 1, max: 1e9 }),
    afterMs: fc.integer({ min: 1, max: 1e6 }),
    latencyUs: fc.integer({ min: 1, max: 1e6 }),
    seed: fc.integer({ min: 1, max: 2 ** 50 }),
  },
  { requiredKeys: ["xid"] },
);
const times = fc.record({
  generation: fc.integer({ min: 1, max: 2 ** 50 }),
  armedAtMs: fc.integer({ min: 1, max: 2 ** 50 }),
  expiresAtMs: fc.integer({ min: 1, max: 2 ** 50 }),
});

describe("a control block", () => {
  it("says what was put into it, for every fault there can be", () => {
    fc.assert(
      fc.property(fault, codes, times, (given, answers, when) => {
        const block = encodeControl({ fault: given, codes: answers, ...when });
        expect(controlProblem(block)).toBeUndefined();
        expect(decodeControl(block)).toEqual({
          armed: false,
          fault: given,
          codes: answers,
          ...when,
        });
      }),
    );
  });

  it("keeps a probability to one in four thousand million, and never makes one that is above 0 none", () => {
    fc.assert(
      fc.property(fc.double({ min: 0, max: 1, noNaN: true }), (probability) => {
        const order = { generation: 1, armedAtMs: 1, expiresAtMs: 1 };
        const none = { inFlight: 0, onInit: 0, sticky: false };
        const block = encodeControl({ fault: { xid: 1, probability }, codes: none, ...order });
        const read = decodeControl(block).fault?.probability ?? 1;
        expect(Math.abs(read - probability)).toBeLessThan(2 ** -31);
        expect(read > 0).toBe(probability > 0);
      }),
    );
  });

  it("is whole and not armed when it is new", () => {
    expect(emptyControl()).toHaveLength(controlBytes);
    expect(controlProblem(emptyControl())).toBeUndefined();
    expect(decodeControl(emptyControl())).toEqual({
      armed: false,
      generation: 0,
      armedAtMs: 0,
      expiresAtMs: 0,
    });
  });

  it("has another end and nothing else changed when it is renewed", () => {
    const order = { generation: 7, armedAtMs: 5, expiresAtMs: 9 };
    const given = {
      fault: { xid: 48, gpus: [1] },
      codes: { inFlight: 214, onInit: 0, sticky: true },
    };
    const renewed = withExpiry(encodeControl({ ...given, ...order }), 20);
    expect(controlProblem(renewed)).toBeUndefined();
    expect(decodeControl(renewed)).toMatchObject({ ...given, generation: 7, expiresAtMs: 20 });
  });

  it("is found damaged whichever byte of its body changes, and not before", () => {
    const order = { generation: 7, armedAtMs: 5, expiresAtMs: 9 };
    const given = { fault: { xid: 48 }, codes: { inFlight: 214, onInit: 0, sticky: true } };
    const block = encodeControl({ ...given, ...order });
    fc.assert(
      fc.property(fc.integer({ min: 16, max: 111 }), fc.integer({ min: 1, max: 255 }), (at, by) => {
        const damaged = Buffer.from(block);
        damaged.writeUInt8(damaged.readUInt8(at) ^ by, at);
        expect(controlProblem(damaged)).toBe("its checksum is wrong");
        expect(controlProblem(block)).toBeUndefined();
      }),
    );
  });

  it("is none when it is short, of somebody else, or of another version", () => {
    expect(controlProblem(Buffer.alloc(100))).toBe("it has 100 of 4096 bytes");
    expect(controlProblem(Buffer.alloc(controlBytes))).toBe("it is not a control block");
    const newer = emptyControl();
    newer.writeUInt32LE(2, 4);
    expect(controlProblem(newer)).toBe("its version is 2, not 1");
  });
});
