import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { ArmedScopes } from "../../../src/hardware/agent/armed-scopes.ts";
import { findGpu, parseInformation } from "../../../src/hardware/agent/gpu-address.ts";
import {
  cudaOwners,
  isEnding,
  isInForce,
  liveScopes,
} from "../../../src/hardware/agent/in-force.ts";
import { LineJournal } from "../../../src/hardware/agent/line-journal.ts";
import { xidPort } from "../../../src/hardware/agent/xid-port.ts";
import { type FaultState, faultStates } from "../../../src/hardware/objects/index.ts";
import { tempDir } from "../../support/temp-dir.ts";
import { armedFault, cudaAction, node, xidAction } from "./support/fake-hardware.ts";

const id = "0123456789ab";
const keepAll = { keep: () => true };

describe("a fault is in force", () => {
  const inForce: readonly FaultState[] = ["armed", "injected", "observed"];

  it("in these states alone, until its lease or its own end, whatever comes first", () => {
    const nowMs = 1_000_000;
    const cases = fc.record({
      state: fc.constantFrom(...faultStates),
      leaseMs: fc.integer({ min: -60_000, max: 900_000 }),
      isEnded: fc.boolean(),
    });
    fc.assert(
      fc.property(cases, ({ state, leaseMs, isEnded }) => {
        const end = isEnded ? { end: { reason: "requested" as const, at: "", by: "" } } : {};
        const leaseUntil = new Date(nowMs + leaseMs).toISOString();
        const fault = armedFault("one", xidAction(id), { nowMs, state, leaseUntil, ...end });
        const wanted = inForce.includes(state) && leaseMs > 0 && !isEnded;
        expect(isInForce(fault, nowMs)).toBe(wanted);
        expect(isInForce(fault, nowMs + 600_000)).toBe(false);
        if (wanted) expect(isEnding(fault)).toBe(false);
      }),
    );
  });

  it("not when nobody can say how long, nor when it is being deleted", () => {
    const fault = armedFault("one", xidAction(id), { nowMs: 0 });
    const broken = armedFault("one", xidAction(id), { nowMs: 0, leaseUntil: "tomorrow" });
    expect(isInForce(broken, 0)).toBe(false);
    const deletionTimestamp = new Date(0).toISOString();
    const deleted = { ...fault, metadata: { ...fault.metadata, deletionTimestamp } };
    expect(isInForce(deleted, 0)).toBe(false);
  });

  it("one for each block, the one carried out before the older one", () => {
    const nowMs = 50_000;
    const older = armedFault("b", cudaAction("s"), { nowMs: nowMs - 5000 });
    const done = armedFault("a", cudaAction("s"), { nowMs, state: "injected" });
    const apart = armedFault("c", cudaAction("t"), { nowMs });
    const { owners, late } = cudaOwners([older, apart, done], { node, nowMs });
    expect([...owners].map(([scope, { metadata }]) => `${scope} ${metadata.name}`)).toEqual([
      "s a",
      "t c",
    ]);
    expect(late.map(({ metadata }) => metadata.name)).toEqual(["b"]);
    expect(cudaOwners([done], { node: "other", nowMs }).owners.size).toBe(0);
  });

  it("and blocks are for passthroughs that are not over", () => {
    const workload = { namespace: "team", kind: "deployment" as const, name: "x" };
    const at = (name: string, scope: string, state: FaultState) =>
      armedFault(name, { kind: "passthrough", workload, scope }, { nowMs: 0, state });
    const faults = [at("1", "b", "injected"), at("2", "a", "planned"), at("3", "c", "reverted")];
    expect(liveScopes(faults)).toEqual(["a", "b"]);
  });
});

describe("the address of a GPU", () => {
  const information =
    "Model: \t NVIDIA H200\nDevice Minor: \t 3\nBus Location: \t 00000000:5D:00.0\n";

  it("is what the driver tells of its number", async () => {
    expect(parseInformation(information)).toEqual({ minor: 3, pci: "0000:5d:00" });
    expect(parseInformation("Model: x\n")).toBeUndefined();
    const folder = await tempDir();
    const gpu = join(folder, "gpus", "0000:5d:00.0");
    await mkdir(gpu, { recursive: true });
    await writeFile(join(gpu, "information"), "Device Minor: \t 3\n");
    expect(await findGpu({ index: 3 }, folder)).toEqual({ pci: "0000:5d:00" });
    expect(await findGpu({ index: 0 }, folder)).toMatchObject({
      problem: "this node has no GPU 0, only 3 at 0000:5d:00",
    });
    expect(await findGpu({ pci: "0000:5D:00.0" }, folder)).toEqual({ pci: "0000:5d:00" });
    expect(await findGpu({ pci: "0000:11:00" }, folder)).toHaveProperty("problem");
  });

  it("is believed without a driver, and a number is not", async () => {
    const folder = await tempDir();
    expect(await findGpu({ pci: "0000:11:00" }, folder)).toEqual({ pci: "0000:11:00" });
    expect(await findGpu({ pci: "rm -rf" }, folder)).toHaveProperty("problem");
    expect(await findGpu({ index: 0 }, folder)).toHaveProperty("problem");
  });
});

describe("the journal of lines", () => {
  it("knows after a restart what was announced, but not what was cut short", async () => {
    const path = join(await tempDir(), "lines");
    const first = await LineJournal.open(path, keepAll);
    await first.announce("one", 0);
    await first.wrote("one", 0);
    await first.announce("one", 2);
    await first.close();
    await writeFile(path, '{"fault":"one","line":2,"wri', { flag: "a" });
    const second = await LineJournal.open(path, keepAll);
    expect([0, 1, 2].map((line) => second.stateOf("one", line))).toEqual([
      "written",
      "unknown",
      "announced",
    ]);
    await second.announce("one", 1);
    await second.wrote("one", 2);
    await second.close();
    const third = await LineJournal.open(path, keepAll);
    expect([0, 1, 2].map((line) => third.stateOf("one", line))).toEqual([
      "written",
      "announced",
      "written",
    ]);
    await third.close();
  });

  it("forgets faults that are gone", async () => {
    const path = join(await tempDir(), "lines");
    const first = await LineJournal.open(path, keepAll);
    await first.announce("gone", 0);
    await first.announce("kept", 0);
    await first.close();
    const second = await LineJournal.open(path, { keep: (name) => name === "kept" });
    expect(["gone", "kept"].map((name) => second.stateOf(name, 0))).toEqual([
      "unknown",
      "announced",
    ]);
    await second.close();
    expect(await readFile(path, "utf8")).toBe('{"fault":"kept","line":0}\n');
  });
});

describe("whose blocks are", () => {
  it("is kept, and a file that makes no sense counts as empty", async () => {
    const path = join(await tempDir(), "armed.json");
    const first = await ArmedScopes.open(path);
    await first.set("s", { fault: "one", untilMs: 5 });
    expect((await ArmedScopes.open(path)).get("s")).toEqual({ fault: "one", untilMs: 5 });
    await first.forget("s");
    expect((await ArmedScopes.open(path)).scopes).toEqual([]);
    await writeFile(path, '{"s":7}');
    expect((await ArmedScopes.open(path)).scopes).toEqual([]);
  });
});

describe("a line as the detector reads it", () => {
  it("tells XID, GPU, whether it is fatal, and whose it is", () => {
    const text = xidPort.formatLine({ xid: 79, pci: "0000:3b:00", correlationId: id });
    expect(xidPort.parse(text)).toEqual({
      xid: 79,
      pci: "0000:3b:00",
      fatal: true,
      correlationId: id,
    });
    expect(xidPort.parse("NVRM: Xid (PCI:0000:3B:00.0): 94, pid=1")).toEqual({
      xid: 94,
      pci: "0000:3b:00",
      fatal: false,
    });
  });

  it("tells nothing where there is no XID", () => {
    expect(xidPort.parse("usb 1-1: new device")).toBeUndefined();
    const sxid = "nvidia-nvswitch3: SXid (PCI:0000:c1:00.0): 20034, Fatal, Link 30 LTSSM Fault Up";
    expect(xidPort.parse(sxid)).toBeUndefined();
  });
});
