import { describe, expect, it } from "vitest";
import { LateReactions } from "../../../src/hardware/api/watch/late-reactions.ts";
import { nvSentinelNames } from "../../../src/hardware/detectors/nvsentinel/names.ts";
import type {
  FaultState,
  HardwareFault,
  NodeObject,
  UndoEntry,
} from "../../../src/hardware/objects/index.ts";
import type { KubeClient } from "../../../src/platform/kube/index.ts";
import { VirtualClock } from "../../../src/platform/time/index.ts";
import { armedFault, xidAction } from "../agent/support/fake-hardware.ts";

const id = "0123456789ab";
const before = { unschedulable: false, taints: [], annotations: {}, labels: {}, conditions: {} };
const undo: readonly UndoEntry[] = [{ kind: "node", node: "gpu-1", before }];

/** What becomes of a node that shows this: how often somebody went to put it back. */
async function looksAt(
  faults: readonly HardwareFault[],
  node: NodeObject,
  waitMs = 0,
): Promise<number> {
  const clock = new VirtualClock();
  let reads = 0;
  const get = () => {
    reads++;
    return new Promise<never>(() => {});
  };
  const late = new LateReactions({
    client: { get } as unknown as KubeClient,
    clock,
    random: { float: () => 0.5 },
    log: { info: () => {}, warn: () => {} } as never,
  });
  late.follow(faults);
  // Deleted since: it is looked after all the same.
  late.follow(faults.filter(({ status }) => status?.state !== "reverted"));
  await clock.advance(waitMs);
  late.look(node);
  late.look(node);
  return reads;
}

function fault(name: string, state: FaultState, more: object = {}): HardwareFault {
  const history = [{ at: new Date(0).toISOString(), state, by: "fault-api" }];
  return armedFault(name, xidAction(id), { nowMs: 0, state, history, undo, ...more });
}

function shown(message: string, name = "gpu-1"): NodeObject {
  const type = nvSentinelNames.conditions.xid;
  return { metadata: { name }, status: { conditions: [{ type, status: "True", message }] } };
}

describe("a reaction of NVSentinel to a fault that is over", () => {
  const ours = shown(`ErrorCode:79 PCI:0000:3b:00 x tessera=${id};`);

  it.each(["reverted", "failed"] as const)("is taken back once at a time (%s)", async (state) => {
    expect(await looksAt([fault("one", state)], ours)).toBe(1);
    expect(await looksAt([fault("one", state)], ours, 44_000)).toBe(1);
  });

  it.each<[string, readonly HardwareFault[], NodeObject, number]>([
    ["is without its id", [fault("one", "reverted")], shown("ErrorCode:79 PCI:0000:3b:00"), 0],
    ["is of another test", [fault("one", "reverted")], shown("x tessera=000000000000"), 0],
    ["is on another node", [fault("one", "reverted")], shown(`tessera=${id}`, "gpu-2"), 0],
    ["comes much later", [fault("one", "reverted")], ours, 45_000],
    ["comes before its end", [fault("one", "reverting")], ours, 0],
    ["is to one without an undo", [fault("one", "reverted", { undo: [] })], ours, 0],
    ["meets another in force", [fault("one", "reverted"), fault("two", "injected")], ours, 0],
  ])("is left alone when it %s", async (_, faults, node, waitMs) => {
    expect(await looksAt(faults, node, waitMs)).toBe(0);
  });
});
