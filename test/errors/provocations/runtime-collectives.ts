import type { Provocation } from "../provocation.ts";

const setUp = `
  const { dist, fault, op, tensor } = tessera;
  const mesh = new dist.Mesh({ axes: ["dp"], devices: 6 });
  const x = dist.tensor([4], { mesh, fill: 1 });
  const rows = dist.shardSpec({ partition: [0], meshAxes: ["dp"] });
`;

export const provocations: readonly Provocation[] = [
  {
    code: "E_COLLECTIVE",
    how: "a broadcast from a root that the group has not",
    provoke: ({ library }) => library(`${setUp} op.broadcast(x, { root: 6 });`),
  },
  {
    code: "E_COLLECTIVE",
    how: "an all-reduce of parts that differ in shape",
    provoke: ({ library }) =>
      library(`${setUp} op.allReduce(dist.tensor([1000], { mesh, layout: rows }));`),
  },
  {
    code: "E_LAYOUT_OP",
    how: "a product of two matrices that are both split along their rows",
    provoke: ({ library }) =>
      library(`${setUp} const a = dist.tensor([6, 6], { mesh, layout: rows }); op.matmul(a, a);`),
  },
  {
    code: "E_DESYNC",
    how: "an all-reduce while one device holds another shape",
    provoke: ({ library }) => library(`${setUp} op.allReduce(x.withLocal(3, tensor.ones([5])));`),
  },
  {
    code: "E_DEVICE_LOST",
    how: "an all-reduce over a device that was dropped",
    provoke: ({ library }) =>
      library(`${setUp} fault.inject({ dropDevice: 5 }, () => op.allReduce(x));`),
  },
  {
    code: "E_PARTITION",
    how: "an all-gather across a partition",
    provoke: ({ library }) =>
      library(`${setUp} fault.inject({ networkPartition: [[0, 3]] }, () => op.allGather(x));`),
  },
];
