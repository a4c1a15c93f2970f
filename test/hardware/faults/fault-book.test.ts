import { describe, expect, it } from "vitest";
import { createFaultBook, newFaultName } from "../../../src/hardware/faults/index.ts";
import type { HardwareFault } from "../../../src/hardware/objects/index.ts";
import { createRng } from "../../../src/platform/rng/index.ts";
import { type Clock, createRealClock, VirtualClock } from "../../../src/platform/time/index.ts";
import { collections, startFakeKube } from "../../support/fake-kube/index.ts";
import { waitUntil } from "../../support/wait-until.ts";
import { installation as namespace, nodeUndo, sampleSpec } from "./sample.ts";

const epochMs = Date.parse("2026-11-16T10:00:00.000Z");
const key = (name: string) => `${namespace}/${name}`;

async function setUp(clock: Clock = new VirtualClock({ epochMs })) {
  const { kube, client } = await startFakeKube({ clock });
  const open = (by: string) => createFaultBook({ client, namespace, clock, by });
  return { kube, client, clock, open, book: open("fault-api") };
}

describe("the book of faults", () => {
  it("writes a fault down with labels, finalizer and lease", async () => {
    const { kube, book } = await setUp();
    const fault = await book.create("xid-1", sampleSpec(epochMs), { team: "a" });
    expect(fault.status).toMatchObject({
      state: "planned",
      leaseUntil: "2026-11-16T10:00:10.000Z",
    });
    expect(kube.get(collections.hardwareFaults, key("xid-1"))?.metadata).toMatchObject({
      labels: {
        team: "a",
        "tessera.dev/run": "r1",
        "tessera.dev/fault-node": "n1",
        "tessera.dev/fault-kind": "xid",
      },
      finalizers: ["tessera.dev/undo"],
    });
  });

  it("refuses a fault without an expiry before anything is written", async () => {
    const { kube, book } = await setUp();
    const { expiresAt: _, ...spec } = sampleSpec(epochMs);
    await expect(book.create("xid-1", spec as HardwareFault["spec"])).rejects.toMatchObject({
      code: "E_HW_REFUSED",
      message: expect.stringContaining("expiresAt"),
    });
    expect(kube.requests).toHaveLength(0);
  });

  it("changes nothing but the status afterwards", async () => {
    const { kube, book } = await setUp();
    await book.create("xid-1", sampleSpec(epochMs));
    kube.requests.length = 0;
    await book.arm("xid-1", [nodeUndo("n1")]);
    await book.injected("xid-1");
    await book.sighted("xid-1", { at: "2026-11-16T10:00:01Z", by: "tessera", what: "line" });
    await book.end("xid-1", "requested");
    const writes = kube.requests.filter(({ method }) => method !== "GET");
    expect(writes.map(({ method, subresource }) => `${method} ${subresource}`)).toEqual(
      Array.from({ length: 4 }, () => "PUT status"),
    );
    expect((await book.get("xid-1")).status).toMatchObject({
      state: "observed",
      end: { reason: "requested", by: "fault-api" },
    });
  });

  it("begins again when somebody was faster, and loses nobody's change", async () => {
    const clock = createRealClock();
    const { open } = await setUp(clock);
    const [one, other] = [open("fault-api"), open("agent/n1")];
    await one.create("xid-1", sampleSpec(clock.nowMs()));
    await one.arm("xid-1", [nodeUndo("n1")]);
    await Promise.all(
      Array.from({ length: 6 }, (_, at) =>
        (at % 2 === 0 ? one : other).sighted("xid-1", {
          at: "2026-11-16T10:00:01Z",
          by: `w${at}`,
          what: "line",
        }),
      ),
    );
    expect((await one.get("xid-1")).status?.sightings).toHaveLength(6);
  });

  it("renews what is in force of a run, and nothing of another", async () => {
    const clock = new VirtualClock({ epochMs });
    const { book } = await setUp(clock);
    await book.create("a", sampleSpec(epochMs));
    await book.create("b", sampleSpec(epochMs));
    await book.create("c", sampleSpec(epochMs, { run: "r2" }));
    await book.end("b", "requested");
    await clock.advance(4_000);
    const renewed = await book.renew("r1");
    expect(renewed.map(({ metadata }) => metadata.name)).toEqual(["a"]);
    expect(renewed[0]?.status?.leaseUntil).toBe("2026-11-16T10:00:14.000Z");
    expect((await book.get("c")).status?.leaseUntil).toBe("2026-11-16T10:00:10.000Z");
    expect(await book.renew("no such run")).toEqual([]);
  });

  it("refuses to renew a run whose faults have ended, and names one", async () => {
    const clock = new VirtualClock({ epochMs });
    const { book } = await setUp(clock);
    await book.create("a", sampleSpec(epochMs));
    await clock.advance(10_000);
    await expect(book.renew("r1")).rejects.toMatchObject({
      code: "E_HW_REFUSED",
      message: expect.stringContaining("the fault a has ended"),
    });
  });

  it("finds faults by run, node and life, long names too", async () => {
    const { book } = await setUp();
    const node = `${"n".repeat(70)}.example`;
    const run = "run of alice / 7";
    const action = { ...sampleSpec(epochMs).action, node } as HardwareFault["spec"]["action"];
    await book.create("a", sampleSpec(epochMs, { run, action }));
    await book.create("b", sampleSpec(epochMs));
    await book.failed("b", "no");
    const names = async (selection: Parameters<typeof book.list>[0]) =>
      (await book.list(selection)).map(({ metadata }) => metadata.name);
    expect(await names({ run })).toEqual(["a"]);
    expect(await names({ node })).toEqual(["a"]);
    expect(await names({ live: true })).toEqual(["a"]);
    expect(await names({})).toEqual(["a", "b"]);
  });

  it("says that a fault is not there, and that one is damaged", async () => {
    const { kube, book, client, clock } = await setUp();
    await expect(book.get("a")).rejects.toMatchObject({ code: "E_HW_FAULT_UNKNOWN" });
    await expect(book.end("a", "requested")).rejects.toMatchObject({ code: "E_HW_FAULT_UNKNOWN" });
    await book.create("a", sampleSpec(epochMs));
    kube.put(collections.hardwareFaults, { metadata: { name: "bad", namespace }, spec: {} });
    await expect(book.get("bad")).rejects.toMatchObject({
      code: "E_HW_FAILED",
      message: expect.stringContaining("the fault bad"),
    });
    await expect(book.list()).rejects.toMatchObject({ code: "E_HW_FAILED" });
    const damaged: Error[] = [];
    const patient = createFaultBook({
      client,
      namespace,
      clock,
      by: "x",
      onDamaged: (error) => damaged.push(error),
    });
    expect(await patient.list()).toHaveLength(1);
    expect(damaged).toHaveLength(1);
  });

  it("follows changes until it is told to stop", async () => {
    const { book } = await setUp();
    const stop = new AbortController();
    const seen: string[] = [];
    const view = book.watch(
      ({ metadata, status }, change) =>
        seen.push(`${change} ${metadata.name} ${status?.state ?? "-"}`),
      stop.signal,
    );
    await view.waitForSync({ timeoutMs: 10_000 });
    await book.create("a", sampleSpec(epochMs));
    await waitUntil("the view has the planned fault", () => seen.includes("updated a planned"));
    expect(view.faults().map(({ metadata }) => metadata.name)).toEqual(["a"]);
    stop.abort();
    await view.stopped;
  });

  it("gives names that differ", () => {
    const random = createRng("names").stream("faults");
    const names = Array.from({ length: 100 }, () => newFaultName("xid", random));
    expect(new Set(names).size).toBe(100);
    expect(names[0]).toMatch(/^xid-[0-9a-f]{12}$/);
  });
});
