import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { provePath } from "../../../src/validation/nccl/index.ts";
import { readNcclLog } from "../../../src/validation/nccl/log-reader.ts";
import { after, before, cards, changed, fixture, goodText } from "./fixtures.ts";

const counters = { expected: cards, before, after };

function prove(text: string, hcas: Partial<typeof counters> = {}) {
  return provePath({
    path: "ib",
    worldSize: 8,
    log: readNcclLog(text),
    hcas: { ...counters, ...hcas },
  });
}

const connections = goodText.split("\n").filter((line) => line.includes(" via NET/IB/"));

describe("the proof of the way through InfiniBand", () => {
  test("holds when every channel, both ways, and every card's counters say so", () => {
    const proof = prove(goodText);
    expect(proof.refusals).toEqual([]);
    expect(proof.proved).toBe(true);
    expect(connections.length).toBe(8 * 2 * 2);
    expect(proof.evidence).toMatchObject({
      channels: 2,
      networks: ["IB"],
      ncclVersion: "2.28.7+cuda12.8",
      connections: { "NET/IB/0/GDRDMA": 4, "NET/IB/7/GDRDMA": 4 },
      hcas: { cards: { mlx5_0: { sentBytes: 687_194_767_360, errors: {} } } },
    });
  });

  test.each([
    ["peer access", "via P2P/CUMEM/read", "1 connection via P2P/CUMEM/read instead of the network"],
    ["shared memory", "via SHM/direct/direct", "via SHM/direct/direct instead of the network"],
    ["sockets", "via NET/Socket/0", "via NET/Socket/0 instead of InfiniBand"],
    ["no GPUDirect", "via NET/IB/3", "via NET/IB/3 without GPUDirect (GDRDMA)"],
    ["a switch that adds", "via COLLNET/SHARP/0/GDRDMA", "instead of the network"],
    ["a relay", "via NET/IB/3(5)/GDRDMA", "relayed by the GPU of rank 5"],
  ])("is refused for one single connection over %s", (_what, via, refusal) => {
    const line = connections.find((one) => one.includes("3[3] -> 4[4] [send]")) ?? "";
    const proof = prove(goodText.replace(line, line.replace(/via .*$/, via)));
    expect(proof.proved).toBe(false);
    expect(proof.refusals.join("\n")).toContain(refusal);
    expect(proof.refusals.join("\n")).toContain("from rank 3 to rank 4");
  });

  test("is refused when the network's switches add beside the ring", () => {
    const line = "node:1:2 [3] NCCL INFO CollNet 00/0 : 3 [receive] via COLLNET/SHARP/0/GDRDMA";
    const proof = prove(`${goodText}${line}\n`);
    expect(proof.refusals.join()).toContain("1 connection via COLLNET/SHARP/0/GDRDMA instead of");
  });

  test("is refused when any one line about a connection is missing", () => {
    fc.assert(
      fc.property(fc.nat(connections.length - 1), (index) => {
        const proof = prove(goodText.replace(`${connections[index]}\n`, ""));
        expect(proof.proved).toBe(false);
        expect(proof.refusals.join()).toContain("does not show how 1 of 32 directions went");
      }),
      { numRuns: 20 },
    );
  });

  test("is refused when NVLink's switch may add, though every line names InfiniBand", () => {
    const proof = prove(goodText.replace("0 nvls channels", "2 nvls channels"));
    expect(proof.refusals).toEqual(["2 channels let the NVLink switch add (NVLS)"]);
  });

  test("is refused without a log, without a number of channels, and for other ranks", () => {
    expect(prove("").refusals[0]).toContain("there is no log of NCCL");
    const noChannels = goodText
      .split("\n")
      .filter((line) => !/coll channels|Channel \d+\/02 :/.test(line));
    expect(prove(noChannels.join("\n")).refusals.join()).toContain("how many channels there are");
    expect(prove(goodText.replaceAll("nranks 8", "nranks 4")).refusals[0]).toBe(
      "the log is of 4 ranks and the results of 8",
    );
    const silent = goodText.replaceAll(/nranks 8/g, "");
    expect(prove(silent).refusals[0]).toContain("does not say how many ranks");
  });

  test("is refused when the counters were not read", () => {
    const log = readNcclLog(goodText);
    const proof = provePath({ path: "ib", worldSize: 8, log });
    expect(proof.refusals).toEqual(["the counters of the network cards were not read"]);
  });

  test.each([
    ["symbol_error", 1n, "symbol_error of mlx5_4 grew by 1"],
    ["local_ack_timeout_err", 7n, "local_ack_timeout_err of mlx5_4 grew by 7"],
    ["link_downed", 1n, "link_downed of mlx5_4 grew by 1"],
    ["port_xmit_data", -20_000_000_000n, "mlx5_4 sent 11.6 % less than the middle of its siblings"],
    ["port_xmit_data", 20_000_000_000n, "mlx5_4 sent 11.6 % more than the middle of its siblings"],
    ["port_xmit_data", -(10n ** 13n), "the port_xmit_data of mlx5_4 is missing or was set back"],
  ])("is refused when %s of one card is off by %s", (counter, by, refusal) => {
    const proof = prove(goodText, { after: changed(after, { hca: "mlx5_4", counter, by }) });
    expect(proof.refusals.join("\n")).toContain(refusal);
  });

  test("bears 4 % between the cards", () => {
    const by = (171_798_691_840n * 4n) / 100n;
    const proof = prove(goodText, {
      after: changed(after, { hca: "mlx5_4", counter: "port_xmit_data", by }),
    });
    expect(proof.proved).toBe(true);
  });

  test("is refused when a card sent nothing, is missing, or was not expected", () => {
    const idle = before.find(({ hca }) => hca === "mlx5_4");
    const still = after.map((port) => (port.hca === "mlx5_4" && idle ? idle : port));
    expect(prove(goodText, { after: still }).refusals).toEqual(["mlx5_4 sent nothing"]);
    const without = before.filter(({ hca }) => hca !== "mlx5_4");
    expect(prove(goodText, { before: without }).refusals).toEqual([
      "there are no counters of mlx5_4",
    ]);
    const fewer = cards.filter((name) => name !== "mlx5_4");
    expect(prove(goodText, { expected: fewer }).refusals).toEqual([
      "data went through mlx5_4, which is not one of the cards",
    ]);
  });

  test("is refused when a card does not have a counter of errors", () => {
    const blind = after.map((port) => {
      const { out_of_sequence: _gone, ...counters } = port.counters;
      return port.hca === "mlx5_4" ? { ...port, counters } : port;
    });
    expect(prove(goodText, { after: blind }).refusals).toEqual([
      "of mlx5_4 these are missing or were set back: out_of_sequence",
    ]);
  });

  test("is refused when the cards sent less than the run needs", () => {
    const log = readNcclLog(goodText);
    const sent = 8 * 687_194_767_360;
    const ask = (sentBytesMin: number) =>
      provePath({ path: "ib", worldSize: 8, log, hcas: { ...counters, sentBytesMin } });
    expect(ask(sent).proved).toBe(true);
    expect(ask(sent * 1.1).refusals[0]).toMatch(/^the cards sent .* and the run needs /);
  });
});

describe("the proof of the way through sockets", () => {
  const text = goodText.replaceAll(/via NET\/IB\/\d\/GDRDMA/g, "via NET/Socket/0");
  const ask = (log: string) => provePath({ path: "socket", worldSize: 8, log: readNcclLog(log) });

  test("needs no counters", () => {
    expect(ask(text)).toMatchObject({ proved: true, refusals: [] });
  });

  test("is refused for InfiniBand and for shared memory", () => {
    expect(ask(goodText).refusals[0]).toContain("instead of sockets");
    const mixed = text.replace("via NET/Socket/0", "via SHM/direct/direct");
    expect(ask(mixed).refusals[0]).toContain("via SHM/direct/direct instead of the network");
  });
});

describe("the proof on logs of a real H200", () => {
  const captured = (...names: readonly string[]) =>
    readNcclLog(names.map((name) => fixture(`captured/${name}.log`)).join(""));
  const both = ["h200-two-ranks-socket-0", "h200-two-ranks-socket-1"];

  test("holds for two ranks over sockets", () => {
    const proof = provePath({ path: "socket", worldSize: 2, log: captured(...both) });
    expect(proof.refusals).toEqual([]);
    expect(proof.evidence).toMatchObject({
      ncclVersion: "2.28.9+cuda13.0",
      networks: ["Socket"],
      channels: 2,
      connections: { "NET/Socket/0": 8 },
    });
  });

  test("is refused for the same two ranks when InfiniBand was wanted", () => {
    const proof = provePath({ path: "ib", worldSize: 2, log: captured(...both) });
    expect(proof.refusals.join()).toContain("via NET/Socket/0 instead of InfiniBand");
  });

  test.each([
    ["one of two ranks is missing", ["h200-two-ranks-socket-0"]],
    ["NCCL found no InfiniBand", ["h200-no-infiniband"]],
    ["NCCL refused two ranks on one GPU", ["h200-duplicate-gpu"]],
  ])("is refused when %s", (_what, names) => {
    expect(provePath({ path: "socket", worldSize: 2, log: captured(...names) }).proved).toBe(false);
  });
});
