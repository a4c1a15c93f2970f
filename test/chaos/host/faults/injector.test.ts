import { expect, it } from "vitest";
import type { HostControl } from "../../../../src/chaos/host/faults/host-control.ts";
import { Injector } from "../../../../src/chaos/host/faults/injector.ts";
import type { Ledger } from "../../../../src/chaos/ledger/index.ts";
import { waitUntil } from "../../../support/wait-until.ts";
import { atStep, planned, rank, smallPlan } from "../support/small-plan.ts";

const kill = planned("kill_device", rank(1), { trigger: atStep(3) });

/** An injector whose ledger takes its time to write that a fault is in force. */
function slowInjector() {
  const closed = new Set<number>();
  let resolve = () => {};
  const writing = new Promise<void>((settle) => {
    resolve = settle;
  });
  const plan = smallPlan({ faults: [kill] });
  const ledger = {
    plan: async () => "entry",
    activate: async () => await writing,
    revert: async (_entry: string, end: () => Promise<void>) => await end(),
  } as unknown as Ledger;
  const control = {
    fleet: plan.fleet,
    closeSlot: (slot: number) => closed.add(slot),
    openSlot: (slot: number) => closed.delete(slot),
    signal: () => undefined,
  } as unknown as HostControl;
  const nowUs = () => 0;
  const injector = new Injector({ plan, ledger, control, nowUs, onInjection: () => {} });
  return { injector, closed, written: { resolve } };
}

it("a fault whose entry is still being written when the run ends is taken back", async () => {
  const { injector, closed, written } = slowInjector();
  const injecting = injector.inject(kill);
  await waitUntil("the fault is in force", () => closed.size === 1);
  const reverting = injector.revertAll();
  written.resolve();
  expect(await reverting).toEqual([]);
  await injecting;
  expect([...closed]).toEqual([]);
  expect(injector.records()).toMatchObject([{ revertedUs: 0 }]);
});

it("a fault whose time comes after the end of the run is not begun", async () => {
  const { injector, closed, written } = slowInjector();
  written.resolve();
  await injector.revertAll();
  await injector.inject(kill);
  expect([...closed]).toEqual([]);
  expect(injector.records()).toMatchObject([{ injectedUs: null, revertedUs: null }]);
});
