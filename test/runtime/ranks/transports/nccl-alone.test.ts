import { describe, expect, test } from "vitest";
import { createRealClock } from "../../../../src/platform/time/index.ts";
import { wireDTypes } from "../../../../src/runtime/ranks/measure/wire-dtype.ts";
import {
  createNcclTransport,
  type NcclTransportOptions,
  ncclOps,
} from "../../../../src/runtime/ranks/transports/nccl/index.ts";
import { withFakeEnv } from "../../../support/fake-cuda/index.ts";
import { noFake, openFake } from "../../cuda/device/on-fake.ts";

/** A world of one rank, which waits for nobody. */
const world: NcclTransportOptions["world"] = {
  rank: 0,
  worldSize: 1,
  signal: new AbortController().signal,
  barrier: async () => {},
  broadcast: async (value) => value,
  abort: () => {},
};

const openAlone = () =>
  createNcclTransport({ world, device: openFake(), clock: createRealClock(), timeoutMs: 10_000 });

describe.skipIf(noFake !== "")(`NCCL with one rank on a fake GPU${noFake}`, () => {
  test.each(ncclOps)("carries out %s, and every element is what it must be", async (op) => {
    const transport = await openAlone();
    const prepared = await transport.prepare({ op, bytes: 4096, dtype: "bf16" });
    await prepared.refill();
    const { timeUs } = await prepared.run();
    expect(timeUs).toBeGreaterThanOrEqual(0);
    expect(await prepared.verify()).toEqual({ wrong: 0, elements: 2048 });
    prepared.close();
    await transport.close();
  });

  test.each(wireDTypes)("sums %s", async (dtype) => {
    const transport = await openAlone();
    const prepared = await transport.prepare({ op: "all-reduce", bytes: 1000, dtype });
    await prepared.refill();
    await prepared.run();
    expect(await prepared.verify()).toMatchObject({ wrong: 0 });
    prepared.close();
    await transport.close();
  });

  test("rounds to whole elements and to at least one", async () => {
    const transport = await openAlone();
    const sizes = await Promise.all(
      [1, 7, 9].map((bytes) => transport.prepare({ op: "all-reduce", bytes, dtype: "f32" })),
    );
    expect(sizes.map(({ bytes }) => bytes)).toEqual([4, 4, 8]);
    for (const prepared of sizes) prepared.close();
    await transport.close();
  });

  test("does not take the answer before for a new one", async () => {
    const transport = await openAlone();
    const prepared = await transport.prepare({ op: "all-reduce", bytes: 64, dtype: "f32" });
    await prepared.refill();
    await prepared.run();
    await prepared.refill();
    expect(await prepared.verify()).toMatchObject({ wrong: 16 });
    prepared.close();
    await transport.close();
  });

  test("finds one flipped bit and names the element, what it is and what it should be", async () => {
    withFakeEnv({ FAKE_CUDA_FLIP: "0:ncclAllReduce:1:35" });
    const transport = await openAlone();
    const prepared = await transport.prepare({ op: "all-reduce", bytes: 64, dtype: "i32" });
    await prepared.refill();
    await prepared.run();
    const found = await prepared.verify();
    expect(found).toMatchObject({ wrong: 1, elements: 16 });
    const [, is, must] = /^element 1 is (\d+) instead of (\d+)$/.exec(found.first ?? "") ?? [];
    expect(Number(is) ^ Number(must)).toBe(8);
    await prepared.run();
    expect(await prepared.verify()).toMatchObject({ wrong: 0 });
    prepared.close();
    await transport.close();
  });

  test("refuses what NCCL does not have, and a buffer that the GPU has no room for", async () => {
    const transport = await openAlone();
    await expect(
      transport.prepare({ op: "hierarchical-all-reduce", bytes: 8, dtype: "f32" }),
    ).rejects.toMatchObject({ code: "E_COLLECTIVE" });
    await expect(
      transport.prepare({ op: "all-reduce", bytes: 2 ** 40, dtype: "f32" }),
    ).rejects.toMatchObject({ code: "E_CUDA" });
    await transport.close();
  });
});
