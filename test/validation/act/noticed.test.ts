import { describe, expect, it } from "vitest";
import { deedsOf, noticedEvents } from "../../../src/validation/act/index.ts";
import type { ClusterNode } from "../../../src/validation/clusters/cluster.ts";
import type { NodeEvent } from "../../../src/validation/history/index.ts";

const minuteMs = 60_000;
const startMs = Date.UTC(2026, 5, 1);
const open: ClusterNode = {
  name: "n1",
  sku: "gpu-x",
  rack: "",
  gpus: 8,
  notFree: [],
  awaitsAcceptance: false,
  cordoned: false,
};
const ours = { ...open, awaitsAcceptance: true, cordoned: true };
const theirs = { ...open, cordoned: true };
const event = (kind: NodeEvent["kind"], details: NodeEvent["details"] = {}): NodeEvent => ({
  cluster: "prod",
  node: "n1",
  atMs: startMs,
  kind,
  details,
});
const closing = event("cordoned", { runIds: ["r1"] });
const word = (action: string) => event("override", { action, actor: "ann" });
const noticed = (
  node: ClusterNode | undefined,
  events: readonly NodeEvent[],
  laterMs = 10 * minuteMs,
) =>
  noticedEvents({
    cluster: "prod",
    nodes: node === undefined ? [] : [node],
    events,
    nowMs: startMs + laterMs,
  });

describe("a node that is open though we closed it", () => {
  it("was opened by somebody else, which is noticed once and forgives no failure", () => {
    const events = noticed(open, [closing]);
    expect(events).toMatchObject([{ kind: "released", details: { seen: true } }]);
    const deeds = deedsOf([closing, ...events]).get("n1");
    expect(deeds).toMatchObject({ cordoned: undefined, releasedAtMs: undefined });
    expect(deeds?.answeredRunIds).toEqual(new Set(["r1"]));
    expect(noticed(open, [closing, ...events])).toEqual([]);
  });

  it.each([
    ["while the view may lag behind", open, 4 * minuteMs],
    ["while it is closed by us", ours, 10 * minuteMs],
    ["when somebody else closed it too", theirs, 10 * minuteMs],
    ["when it is not there", undefined, 10 * minuteMs],
  ] as const)("is not noticed %s", (_, node, laterMs) => {
    expect(noticed(node, [closing], laterMs)).toEqual([]);
  });
});

describe("a person's word to open a node that is not closed by us", () => {
  it.each([open, theirs])("lapses, once, and the node stays forgiven (%j)", (node) => {
    const events = noticed(node, [word("release")]);
    expect(events).toMatchObject([{ kind: "override", details: { action: "lapsed" } }]);
    const deeds = deedsOf([word("release"), ...events]).get("n1");
    expect(deeds).toMatchObject({ override: undefined, releasedAtMs: startMs });
    expect(noticed(node, [word("release"), ...events])).toEqual([]);
  });

  it.each([
    ["while the view may lag behind", open, word("release"), minuteMs - 1],
    ["while it is closed by us", ours, word("release"), 24 * 60 * minuteMs],
    ["when it was to close it", open, word("hold"), 10 * minuteMs],
  ] as const)("does not lapse %s", (_, node, said, laterMs) => {
    expect(noticed(node, [said], laterMs)).toEqual([]);
  });

  it("waits for a closing of ours that the view does not show yet", () => {
    const said = { ...word("release"), atMs: startMs + 1 };
    expect(noticed(open, [closing, said], 2 * minuteMs)).toEqual([]);
  });
});
