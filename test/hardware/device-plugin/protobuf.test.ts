import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { FrameReader, frameOf } from "../../../src/hardware/device-plugin/grpc/frames.ts";
import { DecodedMessage, encodeMessage } from "../../../src/hardware/device-plugin/grpc/index.ts";
import {
  allocationAnswer,
  deviceList,
  readAllocation,
  readRegistration,
  registrationRequest,
} from "../../../src/hardware/device-plugin/messages.ts";

const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString("hex");

describe("messages of the device plugin API", () => {
  it("are on the wire as protoc writes them", () => {
    expect(hex(deviceList(["a"], true))).toBe("0a0c0a016112074865616c746879");
    expect(hex(deviceList(["a"], false))).toBe("0a0e0a01611209556e6865616c746879");
    expect(hex(registrationRequest({ endpoint: "e", resource: "r" }))).toBe(
      "0a07763162657461311201651a01722200",
    );
    const device = { containerPath: "/c", hostPath: "/h", permissions: "rw" };
    expect(hex(allocationAnswer(1, device))).toBe("0a0e1a0c0a022f6312022f681a027277");
    expect(hex(allocationAnswer(0, device))).toBe("");
  });

  it("come back as they went, whatever the text and its length", () => {
    fc.assert(
      fc.property(fc.array(fc.string({ maxLength: 300, unit: "grapheme" })), (ids) => {
        const request = encodeMessage({ 1: [encodeMessage({ 1: ids.filter(Boolean) })] });
        expect(readAllocation(request)).toEqual([ids.filter(Boolean)]);
      }),
    );
    const registration = { endpoint: "x".repeat(500), resource: "tessera.dev/kmsg" };
    expect(readRegistration(registrationRequest(registration))).toEqual({
      version: "v1beta1",
      ...registration,
    });
  });

  it("may have fields of later versions, of every wire type", () => {
    const unknown = Buffer.from("4a01785101020304050607085d0102030460ac02", "hex");
    const known = encodeMessage({ 1: "kept", 2: true });
    const message = new DecodedMessage(Buffer.concat([unknown, known]));
    expect(message.text(1)).toBe("kept");
    expect(message.flag(2)).toBe(true);
    expect(message.flag(3)).toBe(false);
  });

  it("are refused when they are cut or no message, and never read beyond their end", () => {
    for (const bad of ["0a05ff", "0a", "0b", "00", "0affffffffffffffffffff01"]) {
      expect(() => new DecodedMessage(Buffer.from(bad, "hex")), bad).toThrow(/./);
    }
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 64 }), (bytes) => {
        try {
          const message = new DecodedMessage(bytes);
          for (let field = 1; field < 20; field++) message.texts(field);
        } catch (error) {
          expect(error).toBeInstanceOf(Error);
        }
      }),
    );
  });
});

describe("frames", () => {
  it("are found however the bytes are cut", () => {
    const messages = fc.array(fc.uint8Array({ maxLength: 40 }));
    fc.assert(
      fc.property(messages, fc.integer({ min: 1, max: 17 }), (sent, size) => {
        const bytes = Buffer.concat(sent.map(frameOf));
        const reader = new FrameReader();
        const found: Uint8Array[] = [];
        for (let at = 0; at < bytes.length; at += size) {
          found.push(...reader.push(bytes.subarray(at, at + size)));
        }
        expect(found.map(hex)).toEqual(sent.map(hex));
      }),
    );
  });

  it("are refused when compressed or longer than any message", () => {
    expect(() => new FrameReader().push(Buffer.from([1, 0, 0, 0, 0]))).toThrow(/compressed/);
    expect(() => new FrameReader().push(Buffer.from([0, 255, 0, 0, 0]))).toThrow(/bytes/);
  });
});
