import type { ErrorCode } from "../../../src/platform/errors/index.ts";
import type { Provocation } from "../provocation.ts";

const rack = 'const mesh = new dist.Mesh({ axes: ["tp", "pp", "dp"], devices: 72 });';

/** What a program does with the library; each runs with `dist` at hand. */
const programs: readonly {
  readonly code: ErrorCode;
  readonly how: string;
  readonly source: string;
}[] = [
  {
    code: "E_MESH_AXES",
    how: "two axes of the same name",
    source: 'new dist.Mesh({ axes: ["tp", "tp"], devices: 4 });',
  },
  {
    code: "E_MESH_SHAPE",
    how: "a shape for more devices than there are",
    source: 'new dist.Mesh({ axes: ["tp", "pp", "dp"], devices: 72, shape: [6, 6, 3] });',
  },
  {
    code: "E_MESH_DEGENERATE",
    how: "a strict mesh of 71 devices over three axes",
    source: 'new dist.Mesh({ axes: ["tp", "pp", "dp"], devices: 71, strict: true });',
  },
  {
    code: "E_MESH_DEVICES",
    how: "the same device twice",
    source: 'new dist.Mesh({ axes: ["tp"], devices: [0, 1, 1] });',
  },
  {
    code: "E_MESH_AXIS",
    how: "groups along a misspelt axis",
    source: `${rack} mesh.groups("tpp");`,
  },
  {
    code: "E_MESH_RANK",
    how: "the rank after the last",
    source: `${rack} mesh.coordinatesOf(72);`,
  },
  {
    code: "E_MESH_FLATTEN",
    how: "axes that are no neighbours made one",
    source: `${rack} mesh.flatten(["tp", "dp"], "x");`,
  },
  {
    code: "E_LAYOUT_SPEC",
    how: "a plain text as layout",
    source: `${rack} dist.tensor([8, 8], { mesh, layout: "row" });`,
  },
  {
    code: "E_LAYOUT_LENGTH",
    how: "two dimensions over one axis",
    source: 'dist.shardSpec({ partition: ["row", "col"], meshAxes: ["tp"] });',
  },
  {
    code: "E_LAYOUT_AXIS",
    how: "one axis for two dimensions",
    source: `${rack} dist.tensor([8, 8], { mesh, layout: dist.shardSpec({ partition: ["row", "col"], meshAxes: ["tp", "tp"] }) });`,
  },
  {
    code: "E_LAYOUT_DIM",
    how: "a dimension that the tensor has not",
    source: `${rack} dist.tensor([8, 8], { mesh, layout: dist.shardSpec({ partition: [2], meshAxes: ["tp"] }) });`,
  },
  {
    code: "E_LAYOUT_SPLIT",
    how: "a split that does not exist",
    source: `${rack} dist.tensor([8, 8], { mesh, layout: dist.shardSpec({ partition: [0], meshAxes: ["tp"], split: "even" }) });`,
  },
  {
    code: "E_LAYOUT_REDUCE",
    how: "partial by a reduction that does not exist",
    source: `${rack} dist.tensor([8, 8], { mesh, layout: dist.partial("mean") });`,
  },
  {
    code: "E_LAYOUT_PARTIAL",
    how: "partial values read",
    source: `${rack} dist.tensor([8, 8], { mesh, layout: dist.partial("sum") }).toTensor();`,
  },
  {
    code: "E_REDISTRIBUTE",
    how: "split parts made terms of a sum",
    source: `${rack} const x = dist.tensor([8, 8], { mesh, layout: dist.shardSpec({ partition: [0], meshAxes: ["tp"] }) }); x.redistribute({ layout: dist.partial("sum", "tp") });`,
  },
];

export const provocations: readonly Provocation[] = programs.map(({ code, how, source }) => ({
  code,
  how,
  provoke: ({ library }) => library(`const { dist } = tessera; ${source}`),
}));
