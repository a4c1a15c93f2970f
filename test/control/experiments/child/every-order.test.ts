import { expect, test } from "vitest";
import { everyOrder } from "../../../../src/control/experiments/child/every-order.ts";
import { childOrderSchema } from "../../../../src/control/experiments/child/orders.ts";

const slurm = { stopSlurmd: ["ssh", "{node}", "stop"], startSlurmd: ["ssh", "{node}", "start"] };
const recover = { kind: "recover", text: "title: a" } as const;

test("a child hears of the commands for daemons that no variable can say", () => {
  const slurmd = { stop: slurm.stopSlurmd, start: slurm.startSlurmd };
  expect(everyOrder({ slurm })).toEqual({ slurmd });
  const order = { ...recover, ...everyOrder({ slurm }) };
  expect(childOrderSchema.parse(JSON.parse(JSON.stringify(order)))).toEqual(order);
});

test("a child hears nothing where there is only one of the two, or none", () => {
  expect(everyOrder({})).toEqual({});
  expect(everyOrder({ slurm: { stopSlurmd: slurm.stopSlurmd } })).toEqual({});
});
