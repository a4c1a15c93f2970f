import { readFile } from "node:fs/promises";
import { describe, expect, test } from "vitest";
import { TesseraError } from "../../../../src/platform/errors/index.ts";
import {
  parseTopology,
  type Topology,
  topologyNames,
  topologyOf,
} from "../../../../src/runtime/dist/topology/index.ts";

function refused(make: () => Topology): string {
  try {
    make();
  } catch (error) {
    if (error instanceof TesseraError && error.code === "E_TOPOLOGY") return error.message;
    throw error;
  }
  throw new Error("it was accepted");
}

describe("a system by name", () => {
  test.each(topologyNames)("%s is known, and every constant says where it comes from", (name) => {
    const topology = topologyOf(name);
    expect(topology.name).toBe(name);
    const { fabric, network } = topology;
    const sourced = [fabric.linkGBps, fabric.calibration.transferScale, network?.nicGBps];
    for (const constant of sourced) expect(constant?.source).toMatch(/\w/);
    expect(topology.domainGpus).toBeGreaterThanOrEqual(topology.gpusPerNode);
    expect(topology.gpu.peakTflops.bf16).toBeGreaterThan(0);
  });

  test.each([
    ["nvl72", "gb200-nvl72"],
    ["GB300", "gb300-nvl72"],
    ["hgx-h100+ndr", "hgx-h100"],
    ["h100+xdr", "hgx-h100+xdr"],
    ["gb300+xdr", "gb300-nvl72"],
  ])("%s is %s", (given, canonical) => {
    expect(topologyOf(given).name).toBe(canonical);
  });

  test("a network changes the NICs and nothing else", () => {
    const { network, ...rest } = topologyOf("hgx-b200+xdr");
    expect(network?.nicGBps.value).toBe(100);
    expect(rest.fabric).toEqual(topologyOf("hgx-b200").fabric);
  });

  test("a misspelled name is refused with what was meant", () => {
    expect(refused(() => topologyOf("gb20-nvl72"))).toContain("did you mean `gb200-nvl72`");
    expect(refused(() => topologyOf("hgx-h100+ndx"))).toContain("did you mean `ndr`");
    expect(refused(() => topologyOf("hgx-h100+ndr+xdr"))).toContain("one network");
    expect(refused(() => topologyOf(""))).toContain("no system");
  });
});

describe("a system of the user's own", () => {
  test("the sample in examples is one", async () => {
    const file = "examples/topologies/half-rate-cluster.yaml";
    const topology = parseTopology(await readFile(file, "utf8"), file);
    expect(topology.name).toBe("half-rate-cluster");
    expect(topology.network).toMatchObject({ nicsPerGpu: 2, nicGBps: { value: 25, source: file } });
    expect(topology.network?.exchangeUs).toEqual(topologyOf("hgx-h200").network?.exchangeUs);
  });

  test("what is not given comes from the system it is like", () => {
    const topology = parseTopology("name: mine\nlike: hgx-b200\n", "mine.yaml");
    const { name, title, ...rest } = topology;
    expect({ name, title }).toEqual({ name: "mine", title: "mine, like hgx-b200" });
    const { name: _name, title: _title, ...like } = topologyOf("hgx-b200");
    expect(rest).toEqual(like);
  });

  test("slower links make transfers slower by as much", () => {
    const topology = parseTopology("name: half\nlike: nvl72\nlinkGBps: 450\n", "half.yaml");
    expect(topology.fabric.calibration.transferScale.value).toBe(2);
  });

  test.each([
    ["name: x\nlike: nvl72\nlinkGBps: fast\n", /mine\.yaml, line 3.*`linkGBps`/],
    ["name: x\nlike: nvl72\nnetwork:\n  name: a\n  hopUs: -1\n", /line 5.*`network/],
    ["name: x\nlike: nvl72\nspeed: 3\n", /Unrecognized key.*speed/],
    ["like: nvl72\n", /`name`/],
    ["name: X Y\nlike: nvl72\n", /line 1.*lower-case/],
    ["name: x\nlike: nvl27\n", /did you mean `nvl72`/],
    ["name: [x\n", /not valid YAML/],
    ["", /the file/],
  ])("%j is refused with its place", (text, message) => {
    expect(refused(() => parseTopology(text, "mine.yaml"))).toMatch(message);
  });
});
