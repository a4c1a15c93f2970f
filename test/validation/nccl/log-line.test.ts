import { describe, expect, test } from "vitest";
import { parseNcclLine, parsePath } from "../../../src/validation/nccl/log-line.ts";

const line = (message: string, level = "INFO") => `node-1:41000:41100 [0] NCCL ${level} ${message}`;

describe("a line of NCCL's log", () => {
  test.each([
    ["Channel 00/0 : 7[7] -> 0[0] [receive] via NET/IB/0/GDRDMA", "receive", true],
    ["Channel 13/0 : 0[1b000] -> 1[2a000] [send] via NET/IB/3/GDRDMA(PCI)", "send", true],
    ["Channel 00/1 : 0[0] -> 1[1] [send] via NET/IB/0/GDRDMA/Shared", "send", true],
    ["Channel 00/0 : 0[0] -> 1[1] [send] via NET/IB/0", "send", false],
  ])("that sets up a connection is read: %s", (text, side, gpuDirect) => {
    const event = parseNcclLine(line(text));
    expect(event).toMatchObject({
      kind: "connection",
      connection: { side, path: { transport: "NET", network: "IB", gpuDirect } },
    });
  });

  test("names ranks, channel and device of a connection", () => {
    expect(
      parseNcclLine(line("Channel 13/0 : 4[4] -> 5[5] [send] via NET/IB/6/GDRDMA")),
    ).toMatchObject({ connection: { channel: 13, from: 4, to: 5, path: { device: 6 } } });
  });

  test.each([
    ["Channel 00/0 : 0[0] -> 1[1] via P2P/CUMEM/read", "P2P"],
    ["Channel 00 : 0[0] -> 1[1] via SHM/direct/direct", "SHM"],
    ["Channel 00 : 0[0] -> 1[1] via direct shared memory", "SHM"],
    ["Channel 00/0 : 0[0] -> 1[1] [send] via NET/Socket/0", "NET"],
    ["CollNet 00/1 : 3 [send] via COLLNET/SHARP/0/GDRDMA", "COLLNET"],
  ])("that goes another way says which: %s", (text, transport) => {
    expect(parseNcclLine(line(text))).toMatchObject({
      kind: "connection",
      connection: { path: { transport, gpuDirect: false } },
    });
  });

  test("knows a relay over another GPU from a device", () => {
    expect(parsePath("NET/IB/2(5)/GDRDMA")).toMatchObject({ device: 2, relay: 5, gpuDirect: true });
    expect(parsePath("NET/IB/2/GDRDMA")).not.toHaveProperty("relay");
  });

  test("gives the cards behind the device numbers, also those used as one", () => {
    const text = "NET/IB : Using [0]mlx5_0:1/IB [1]mlx5_1:1/RoCE [RO]; OOB eth0:10.0.0.1<0>";
    expect(parseNcclLine(line(text))).toEqual({
      kind: "devices",
      devices: new Map([
        [0, ["mlx5_0"]],
        [1, ["mlx5_1"]],
      ]),
    });
    const merged = "NET/IB : Using [0]={[0] mlx5_0:1/IB, [1] mlx5_1:1/IB} [RO]; OOB eth0:1<0>";
    expect(parseNcclLine(line(merged))).toMatchObject({
      devices: new Map([[0, ["mlx5_0", "mlx5_1"]]]),
    });
    const made = "NET/IB : Made virtual device [4] name=mlx5_2+mlx5_3 speed=800000 ndevs=2";
    expect(parseNcclLine(line(made))).toMatchObject({
      devices: new Map([[4, ["mlx5_2", "mlx5_3"]]]),
    });
  });

  test("tells ranks, channels, version and network", () => {
    expect(
      parseNcclLine(line("ncclCommInitRank comm 0x55d0 rank 3 nranks 8 cudaDev 3 - Init START")),
    ).toEqual({ kind: "rank", rank: 3, worldSize: 8 });
    expect(parseNcclLine(line("Channel 02/16 :    0   1   2   3"))).toEqual({
      kind: "ring",
      channel: 2,
      channels: 16,
    });
    expect(
      parseNcclLine(line("16 coll channels, 16 collnet channels, 8 nvls channels, 2 p2p channels")),
    ).toEqual({ kind: "channels", collective: 16, nvls: 8 });
    expect(parseNcclLine(line("2 coll channels, 2 p2p channels"))).toMatchObject({ nvls: 0 });
    expect(parseNcclLine("NCCL version 2.28.7+cuda12.8")).toMatchObject({
      version: "2.28.7+cuda12.8",
    });
    expect(parseNcclLine(line("Using network IB"))).toMatchObject({ network: "IB" });
    expect(parseNcclLine(line("NET/IB : got an error", "WARN"))).toMatchObject({ kind: "warning" });
  });

  test("is known behind the marks of a launcher, and others are not NCCL's", () => {
    const text = `[1,3]<stdout>:${line("Channel 00/0 : 0[0] -> 1[1] [send] via NET/IB/0")}`;
    expect(parseNcclLine(text)).toMatchObject({ kind: "connection" });
    expect(parseNcclLine("Channel 00/0 : 0[0] -> 1[1] [send] via NET/IB/0")).toBeUndefined();
    expect(parseNcclLine("# Using devices")).toBeUndefined();
    expect(parseNcclLine(line("threadThresholds 8/8/64"))).toEqual({ kind: "other" });
  });
});
