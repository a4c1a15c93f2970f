import type { Provocation } from "../provocation.ts";

const setUp = `
  const { dist, fault, tensor } = tessera;
  const mesh = new dist.Mesh({ axes: ["dp"], devices: 4 });
  const x = tensor.ones([2]);
`;

export const provocations: readonly Provocation[] = [
  {
    code: "E_DEADLOCK",
    how: "two ranks await a message from each other",
    provoke: ({ library }) =>
      library(`${setUp} await dist.spmd(mesh, (rank) => rank.recv(rank.index ^ 1));`),
  },
  {
    code: "E_RANK_FAILED",
    how: "the program of one rank throws while the others wait for it",
    provoke: ({ library }) =>
      library(`${setUp} await dist.spmd(mesh, async (rank) => {
        if (rank.index === 2) throw new Error("out of memory");
        await rank.allReduce(x);
      });`),
  },
  {
    code: "E_DESYNC",
    how: "one rank of an spmd program brings another shape",
    provoke: ({ library }) =>
      library(`${setUp} await dist.spmd(mesh, (rank) =>
        rank.allReduce(rank.index === 1 ? tensor.ones([3]) : x));`),
  },
  {
    code: "E_FAULT_UNKNOWN",
    how: "a fault that is not in the catalogue",
    provoke: ({ library }) => library(`${setUp} fault.inject({ drop_gpu: 5 });`),
  },
  {
    code: "E_FAULT_INVALID",
    how: "a partition that is one range instead of a list of ranges",
    provoke: ({ library }) => library(`${setUp} fault.inject({ networkPartition: [0, 64] });`),
  },
];
