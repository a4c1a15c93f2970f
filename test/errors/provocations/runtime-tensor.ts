import type { Provocation } from "../provocation.ts";

export const provocations: readonly Provocation[] = [
  {
    code: "E_DTYPE",
    how: "a dtype that does not exist",
    provoke: ({ library }) => library('tessera.tensor.zeros([2, 2], { dtype: "flaot32" });'),
  },
  {
    code: "E_DTYPE",
    how: "a value that the dtype has no room for",
    provoke: ({ library }) => library('tessera.tensor.fromValues([1, 300], { dtype: "u8" });'),
  },
  {
    code: "E_SHAPE",
    how: "lists of different lengths",
    provoke: ({ library }) => library("tessera.tensor.fromValues([[1, 2], [3]]);"),
  },
  {
    code: "E_SHAPE",
    how: "a reshape to another number of elements",
    provoke: ({ library }) => library("tessera.tensor.rand([2, 3]).reshape([4]);"),
  },
];
