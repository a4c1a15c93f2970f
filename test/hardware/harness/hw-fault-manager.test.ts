import { describe, expect, it } from "vitest";
import { HwFaultManager } from "../../../src/hardware/harness/index.ts";
import { sleep, VirtualClock } from "../../../src/platform/time/index.ts";
import { FakeFaults } from "./lib/fake-faults.ts";

const action = { kind: "xid" as const, node: "gpu-1", lines: [{ xid: 79 }] };

function setUp(more: { readonly signal?: AbortSignal } = {}) {
  const clock = new VirtualClock();
  const faults = new FakeFaults();
  const said: string[] = [];
  const say = (text: string) => said.push(text);
  const about = { clock, run: "run-1", namespace: "shop", leaseSeconds: 15, say };
  return { clock, faults, said, manager: new HwFaultManager({ faults, ...about, ...more }) };
}

describe("a manager of hardware faults", () => {
  it("makes a fault with a lease, an end and a name, and waits until it was carried out", async () => {
    const { faults, manager } = setUp();
    const fault = await manager.inject(action);
    expect(fault).toMatchObject({ id: "run-1-xid-1", state: "injected" });
    expect(faults.requests[0]).toMatchObject({
      name: "run-1-xid-1",
      run: "run-1",
      namespace: "shop",
      leaseSeconds: 15,
      durationSeconds: 1800,
      allowRealReboot: false,
    });
    await manager.revertAll();
  });

  it("says why a fault that failed did", async () => {
    const { faults, manager } = setUp();
    faults.injectedState = "failed";
    await expect(manager.inject(action)).rejects.toMatchObject({
      code: "E_HW_FAILED",
      message: expect.stringContaining("no such GPU"),
    });
    await manager.revertAll();
  });

  it("gives up on a fault that nobody carries out, saying how it is", async () => {
    const { clock, faults, manager } = setUp();
    faults.injectedState = "armed";
    const failing = expect(manager.inject(action, { timeoutMs: 3000 })).rejects.toMatchObject({
      code: "E_HW_TIMEOUT",
      message: expect.stringContaining("it is armed"),
    });
    await clock.advance(4000);
    await failing;
    await manager.revertAll();
  });

  it("renews three times a lease while it lives, and not before a fault nor after the end", async () => {
    const { clock, faults, manager } = setUp();
    await clock.advance(20_000);
    expect(faults.calls).toEqual([]);
    await manager.inject(action);
    await clock.advance(15_000);
    expect(faults.calls.filter((call) => call.startsWith("renew"))).toHaveLength(3);
    await manager.revertAll();
    await clock.advance(60_000);
    expect(faults.calls.filter((call) => call.startsWith("renew"))).toHaveLength(3);
    expect(clock.timersPending).toBe(0);
  });

  it("says every renewal that failed, and goes on when one succeeds in time", async () => {
    const { clock, faults, said, manager } = setUp();
    await manager.inject(action);
    faults.unreachable.add("renew");
    await clock.advance(6000);
    expect(said.join()).toContain("could not be renewed: The fault API cannot be reached");
    faults.unreachable.delete("renew");
    await clock.advance(30_000);
    await expect(manager.inject(action)).resolves.toMatchObject({ state: "injected" });
    await manager.revertAll();
  });

  it("makes no further fault once the lease is lost, and says that the others end by themselves", async () => {
    const { clock, faults, said, manager } = setUp();
    await manager.inject(action);
    faults.unreachable.add("renew");
    await clock.advance(20_000);
    expect(said.at(-1)).toContain("the faults of this run end by themselves");
    await expect(manager.inject(action)).rejects.toMatchObject({
      code: "E_HW_FAILED",
      message: expect.stringContaining("lease is lost"),
    });
    await manager.revertAll();
  });

  it("renews nothing while none of its faults is in force", async () => {
    const { clock, faults, said, manager } = setUp();
    const { id } = await manager.inject(action);
    await manager.revert(id);
    faults.unreachable.add("renew");
    await clock.advance(60_000);
    expect(said).toEqual([]);
    faults.unreachable.clear();
    await expect(manager.inject(action)).resolves.toMatchObject({ state: "injected" });
    await manager.revertAll();
  });

  it("takes back all faults of the run at once", async () => {
    const { faults, manager } = setUp();
    await manager.inject(action);
    await manager.inject(action);
    const left = await manager.revertAll();
    expect(left.map(({ state }) => state)).toEqual(["reverted", "reverted"]);
    expect(faults.calls).toContain("revertRun run-1");
  });

  it("asks for nothing where no fault was made", async () => {
    const { faults, manager } = setUp();
    await manager.revertAll();
    expect(faults.calls).toEqual([]);
  });

  it("says what could not be taken back, leaves it to the lease, and tries again when asked", async () => {
    const { clock, faults, manager } = setUp();
    await manager.inject(action);
    faults.unreachable.add("revertRun");
    await expect(manager.revertAll()).rejects.toMatchObject({
      code: "E_HW_FAILED",
      message: expect.stringContaining("ends with its lease of 15 s"),
    });
    const renewals = faults.calls.length;
    await clock.advance(60_000);
    expect(faults.calls).toHaveLength(renewals);
    faults.unreachable.delete("revertRun");
    await expect(manager.revertAll()).resolves.toHaveLength(1);
  });

  it("waits for what is not over, and says so when it never is", async () => {
    const { clock, faults, manager } = setUp();
    await manager.inject(action);
    faults.revertedState = "revert-failed";
    const failing = expect(manager.revertAll({ timeoutMs: 2000 })).rejects.toMatchObject({
      code: "E_HW_FAILED",
      message: expect.stringContaining("run-1-xid-1 is revert-failed"),
    });
    await clock.advance(3000);
    await failing;
  });

  it("takes back after an abort, but makes nothing any more", async () => {
    const abort = new AbortController();
    const { faults, manager } = setUp({ signal: abort.signal });
    await manager.inject(action);
    abort.abort(new Error("interrupted"));
    await expect(manager.inject(action)).rejects.toThrow("interrupted");
    await expect(manager.revertAll()).resolves.toHaveLength(1);
    expect(faults.faults.get("run-1-xid-1")?.state).toBe("reverted");
  });

  it("waits for an injection under way before it takes back, also after an abort", async () => {
    const abort = new AbortController();
    const { clock, faults, manager } = setUp({ signal: abort.signal });
    const inject = faults.inject.bind(faults);
    let given: { readonly signal?: AbortSignal } | undefined;
    faults.inject = async (request, call?: { readonly signal?: AbortSignal }) => {
      given = call;
      await sleep(clock, 3000);
      return await inject(request);
    };
    const failing = expect(manager.inject(action)).rejects.toThrow("interrupted");
    abort.abort(new Error("interrupted"));
    // Whoever waits hears of the abort at once; the request itself goes on.
    await failing;
    expect(given?.signal).toBeUndefined();
    const reverting = manager.revertAll();
    await clock.advance(4000);
    await expect(reverting).resolves.toMatchObject([{ id: "run-1-xid-1", state: "reverted" }]);
    expect(faults.calls).toEqual(["inject xid", "revertRun run-1"]);
    expect(clock.timersPending).toBe(0);
  });

  it("does not say that all is taken back while an injection never ends", async () => {
    const { clock, faults, manager } = setUp();
    faults.inject = () => new Promise(() => {});
    const failing = expect(manager.inject(action)).rejects.toMatchObject({ code: "E_TIMEOUT" });
    const reverting = expect(manager.revertAll()).rejects.toMatchObject({
      code: "E_HW_FAILED",
      message: expect.stringMatching(/still being made.*ends with its lease/s),
    });
    await clock.advance(120_000);
    await Promise.all([failing, reverting]);
    expect(faults.calls).toContain("revertRun run-1");
  });

  it("takes back what appears after it has asked for that once", async () => {
    const { clock, faults, manager } = setUp();
    await manager.inject(action);
    const revertRun = faults.revertRun.bind(faults);
    let isLate = true;
    faults.revertRun = async (run) => {
      await revertRun(run);
      if (!isLate) return;
      isLate = false;
      const [fault] = faults.faults.values();
      if (fault !== undefined) faults.faults.set("late", { ...fault, id: "late", state: "armed" });
    };
    const reverting = manager.revertAll();
    await clock.advance(1000);
    expect((await reverting).map(({ state }) => state)).toEqual(["reverted", "reverted"]);
  });

  it("makes no fault while all are being taken back, and does again afterwards", async () => {
    const { faults, manager } = setUp();
    await manager.inject(action);
    const reverting = manager.revertAll();
    await expect(manager.inject(action)).rejects.toMatchObject({
      code: "E_HW_FAILED",
      message: expect.stringContaining("being taken back"),
    });
    await reverting;
    await expect(manager.inject(action)).resolves.toMatchObject({ state: "injected" });
    await manager.revertAll();
    expect(faults.requests).toHaveLength(2);
  });

  it("ends with its scope", async () => {
    const { faults, manager } = setUp();
    {
      await using held = manager;
      await held.inject(action);
    }
    expect(faults.calls.at(-1)).toBe("revertRun run-1");
  });
});
