import { describe, expect, it } from "vitest";
import { type ChaosSpec, inject, injectableFaults } from "../../../src/chaos/event/index.ts";
import { faultNames, onFailure } from "../../../src/chaos/fault/index.ts";
import { VirtualClock } from "../../../src/platform/time/index.ts";
import { currentHealth } from "../../../src/runtime/dist/health/index.ts";
import { tensor } from "../../../src/runtime/dist/index.ts";
import { Mesh } from "../../../src/runtime/dist/mesh/index.ts";
import { allReduce, matmul } from "../../../src/runtime/op/index.ts";

const mesh = new Mesh({ axes: ["pp", "dp"], shape: [2, 4], devices: 8 });
const train = () => {
  const a = tensor([8, 8], { mesh, fill: 1 });
  allReduce(matmul(a, a));
};

function caught(run: () => unknown): unknown {
  try {
    run();
  } catch (error) {
    return error;
  }
  return undefined;
}

describe("a chaos event", () => {
  it("says that it was met, by what, and that catching an error is no recovery", () => {
    using event = inject({ fault: "kill_device", target: 0 });
    expect(event.exercised).toBe(false);
    expect(caught(train)).toMatchObject({ code: "E_DEVICE_LOST" });
    expect(event.exercised).toBe(true);
    expect(event.effects).toEqual([
      { op: "matmul", what: "failed", text: "device 0 (rank 0) is lost" },
    ]);
    expect(event.report()).toMatchObject({
      outcome: "not recovered",
      met: 1,
      reason: expect.stringContaining("no policy completed"),
    });
  });

  it("that nothing met says so", () => {
    inject({ fault: "kill_device", target: 99 }, (event) => {
      train();
      expect(event.report()).toMatchObject({ outcome: "not exercised", met: 0 });
    });
    expect(currentHealth().empty).toBe(true);
  });

  it("of corruption is not met where the element is out of reach", () => {
    const far = { fault: "bit_flip", target: 1, params: { element: 1e6 } } as const;
    inject(far, (event) => {
      train();
      expect(event.exercised).toBe(false);
    });
    inject({ ...far, params: { element: 3 } }, (event) => {
      train();
      expect(event.effects[0]).toMatchObject({ what: "corrupted" });
    });
  });

  const met: readonly ChaosSpec[] = [
    { fault: "kill_device", target: "gpu:5" },
    { fault: "drop_rank", target: 5 },
    { fault: "fail_node", target: { mesh, node: 0 } },
    { fault: "fail_stage", target: { mesh, at: { pp: 1 } } },
    { fault: "restart_worker", target: 5 },
    { fault: "freeze_worker", target: 5 },
    { fault: "off_bus", target: [4, 5] },
    { fault: "ecc_error", target: 5 },
    { fault: "ecc_error", target: 5, params: { xid: 94 } },
    { fault: "row_remap", target: 5, params: { failed: true } },
    { fault: "nvlink_error", target: 5 },
    { fault: "gsp_error", target: 5 },
    { fault: "gsp_error", target: 5, params: { xid: 120 } },
    { fault: "hang_device", target: 5 },
    { fault: "partition", target: { groups: [[0, 1]] } },
    { fault: "partition", target: 5 },
    { fault: "packet_loss", params: { share: 1 } },
    { fault: "drop_collective" },
    { fault: "collective_timeout" },
    { fault: "out_of_memory", target: 5 },
  ];
  it.each(met)("fails an operation that meets it: %j", (spec) => {
    inject(spec, (event) => {
      expect(caught(train)).toMatchObject({ code: expect.stringMatching(/^E_/) });
      expect(event.effects.map(({ what }) => what)).toContain("failed");
    });
    expect(caught(train)).toBeUndefined();
  });

  it.each([
    { fault: "network_latency", params: { latency: "50ms", jitter: "5ms" } },
    { fault: "packet_loss", target: 5 },
    { fault: "bandwidth_cap", target: { links: [[0, 1]] } },
    { fault: "nvlink_error", target: 5, params: { state: "degraded" } },
    { fault: "delay_collective" },
    { fault: "straggler", target: 5 },
  ] as const)("slows an operation that meets it: %j", (spec) => {
    inject(spec as ChaosSpec, (event) => {
      train();
      expect(event.effects.map(({ what }) => what)).toContain("slowed");
    });
  });

  it.each([
    { fault: "bit_flip", target: 5 },
    { fault: "not_a_number", target: 5 },
    { fault: "strided_corruption", target: 5 },
    { fault: "corrupt_collective", target: 5 },
  ] as const)("spoils an operation that meets it, in silence: %j", (spec) => {
    inject(spec, (event) => {
      train();
      expect(event.effects.map(({ what }) => what)).toContain("corrupted");
    });
  });

  it("of a row that was remapped is met by nothing: the job goes on", () => {
    inject({ fault: "row_remap", target: 5 }, (event) => {
      train();
      expect(event.report().outcome).toBe("not exercised");
    });
  });

  it.each([
    [{ fault: "kill_device" }, "names no device"],
    [{ fault: "partition" }, "nobody is cut off"],
    [{ fault: "torn_write", target: 0 }, "does not have"],
    [
      { fault: "kill_device", target: 0, expectedRecovery: "checkpoint_restart" },
      "checkpointRestart",
    ],
    [{ fault: "kill_device", target: 0, maxRecoveryS: -1 }, "maxRecoveryS is -1"],
    [{ fault: "fail_node", target: { mesh, node: 7 } }, "no device in the mesh"],
    [{ fault: "network_latency", target: { groups: [[0]], asymmetric: true } }, "no direction"],
    [{ fault: "strided_corruption", target: 5, params: { count: 5000 } }, "too many"],
    [{ fault: "kill_device", target: 0, params: { hard: 1 } }, "no parameter hard"],
  ])("is refused when it cannot be: %j", (spec, problem) => {
    const error = caught(() => inject(spec as ChaosSpec));
    expect(error).toMatchObject({ code: "E_FAULT_INVALID" });
    expect((error as Error).message).toContain(problem);
    expect(currentHealth().empty).toBe(true);
  });

  it("is refused when there is no such fault", () => {
    expect(caught(() => inject({ fault: "kill_gpu" } as unknown as ChaosSpec))).toMatchObject({
      code: "E_FAULT_UNKNOWN",
    });
  });

  it("exists for every fault of the catalogue but those of storage, time and clusters", () => {
    expect(faultNames.filter((name) => !injectableFaults.includes(name))).toEqual([
      "preempt",
      "link_flap",
      "fragment_memory",
      "slow_storage",
      "full_storage",
      "torn_write",
      "corrupt_shard",
      "kill_pod",
      "cordon_node",
      "network_policy",
      "gpu_xid",
      "cuda_error",
      "kill_step",
      "requeue_job",
      "drain_node",
      "kill_slurmd",
    ]);
  });
});

describe("a recovery", () => {
  const spec = { fault: "kill_device", target: 5 } as const;
  const clock = new VirtualClock();

  /** Loses device 5 in its first attempt, and what a policy makes of that. */
  async function recoverFrom(more: Partial<ChaosSpec>, expected: string | undefined) {
    const event = inject({ ...spec, ...more });
    const result = await onFailure<number>(
      {
        policy: "drainThenResume",
        clock,
        drain: () => event[Symbol.dispose](),
        integrity: {
          digestOfResult: (value) => `d${value}`,
          ...(expected === undefined ? {} : { expected }),
        },
      },
      () => {
        train();
        return 6;
      },
    );
    event.settle(result);
    return event.report();
  }

  it("is one when a policy completed and the result is proven right", async () => {
    const report = await recoverFrom(
      { expectedRecovery: "checkpointRestart", maxRecoveryS: 30 },
      "d6",
    );
    expect(report).toMatchObject({
      outcome: "recovered",
      recovery: "checkpointRestart",
      recoveryS: 0,
    });
    expect(report.text).toContain("kill_device on device 5: recovered");
  });

  it("is none without proof, with a wrong result, or by another way than expected", async () => {
    expect(await recoverFrom({}, undefined)).toMatchObject({
      outcome: "not recovered",
      reason: expect.stringContaining("unchecked"),
    });
    expect(await recoverFrom({}, "d7")).toMatchObject({
      outcome: "not recovered",
      reason: expect.stringContaining("different"),
    });
    expect(await recoverFrom({ expectedRecovery: "shrink" }, "d6")).toMatchObject({
      outcome: "not recovered",
      reason: "it came back by checkpointRestart instead of shrink",
    });
  });
});
