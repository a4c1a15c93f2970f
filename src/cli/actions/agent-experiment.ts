import { type ChildTools, carryOutOrder } from "../../control/experiments/child/carry-out-order.ts";
import {
  type ChildLine,
  type ChildOrder,
  childOrderSchema,
  orderBytesMax,
} from "../../control/experiments/child/orders.ts";
import { exitCodes, type TesseraError, toTesseraError } from "../../platform/errors/index.ts";
import { readOrder } from "../agent/read-order.ts";
import { openProbes } from "../chaos/open-probes.ts";
import { openWorld } from "../chaos/worlds.ts";
import type { Action, Invocation } from "../invocation.ts";
import { writeLine } from "../output.ts";
import { usageError } from "../usage-error.ts";

const onlyByTessera = "Only Tessera itself starts this: its standard input says what to do";

/** `tessera agent experiment`: one experiment, for the control plane, which says on stdin what to do. */
export const run: Action = async (invocation) => {
  const order = await readOrder(process.stdin, {
    bytesMax: orderBytesMax,
    parse: childOrderSchema.parse,
    broken: () => usageError("agent experiment", onlyByTessera),
  });
  const tools = toolsFor(invocation, order);
  try {
    await carryOutOrder(order, tools);
    return exitCodes.good;
  } catch (error) {
    tools.say({ line: "failed", ...told(toTesseraError(error)) });
    return exitCodes.failed;
  }
};

function toolsFor(invocation: Invocation, order: ChildOrder): ChildTools {
  const { clock, io, signal } = invocation;
  const asked = withOrder(invocation, order);
  return {
    clock,
    signal,
    say: (line: ChildLine) => writeLine(io.stdout, JSON.stringify(line)),
    openWorld: (name) => openWorld(name, asked),
    openProbes: () => openProbes(asked),
    known: async (workload) => {
      const { knownIn } = await import("../chaos/clusters.ts");
      return knownIn(asked, workload);
    },
    recover: async (workload, faults) => {
      const { recoverIn } = await import("../chaos/clusters.ts");
      for (const note of await recoverIn(asked, workload, faults)) writeLine(io.stderr, note);
    },
    rehearse: async (world, plan) => {
      const { rehearseIn } = await import("../chaos/clusters.ts");
      await rehearseIn(asked, { world, plan });
    },
  };
}

/** As if the order's settings had been given here. */
function withOrder(
  invocation: Invocation,
  { faultApiUrl: apiUrl, slurmd }: ChildOrder,
): Invocation {
  const config = async () => {
    const given = await invocation.config();
    const { values } = given;
    if (slurmd === undefined) return given;
    const slurm = { ...values.slurm, stopSlurmd: slurmd.stop, startSlurmd: slurmd.start };
    return { ...given, values: { ...values, slurm } };
  };
  return { ...invocation, config, ...(apiUrl === undefined ? {} : { options: { apiUrl } }) };
}

function told({ code, message, hint, details: { shown } }: TesseraError) {
  const isShown = typeof shown === "object" && shown !== null;
  return { code, message, hint, ...(isShown ? { shown: { ...shown } } : {}) };
}
