import { exitCodes } from "../exit-codes.ts";
import type { ErrorRow } from "./error-row.ts";

/** Tensors, meshes and layouts. */
export const tensorAndMeshRows = {
  E_DTYPE: {
    message: "{operation}: {problem}.",
    hint: "The dtypes are f64, f32, f16, bf16, e4m3, e5m2, i32 and u8; `x.to(dtype)` converts a tensor.",
    exitCode: exitCodes.usage,
    httpStatus: 400,
  },
  E_SHAPE: {
    message: "{operation}: {problem}.",
    hint: "Compare the shapes and indices that this operation was given; `x.shape` tells a tensor's.",
    exitCode: exitCodes.usage,
    httpStatus: 400,
  },
  // Meshes, layouts and redistribution.
  E_MESH_AXES: {
    message: "A mesh cannot have the axes {axes}: {problem}.",
    hint: 'Give each axis a name of its own, for example axes: ["tp", "pp", "dp"].',
    exitCode: exitCodes.usage,
    httpStatus: 400,
  },
  E_MESH_SHAPE: {
    message: "A mesh of {devices} devices over {axes} cannot have the shape {shape}: {problem}.",
    hint: "Give one size per axis whose product is {devices}, or leave the shape out.",
    exitCode: exitCodes.usage,
    httpStatus: 400,
  },
  E_MESH_DEGENERATE: {
    message:
      "No rule gives {devices} devices over {axes} a shape without an axis of size 1: it would be {shape}.",
    hint: "The mesh is strict, so give its shape, change the number of devices, or drop an axis.",
    exitCode: exitCodes.usage,
    httpStatus: 400,
  },
  E_MESH_DEVICES: {
    message: "A mesh cannot have these devices: {problem}.",
    hint: "Give a number of devices, a list of different ids (0, 1, … or text), or nested lists of equal length.",
    exitCode: exitCodes.usage,
    httpStatus: 400,
  },
  E_MESH_AXIS: {
    message: "The mesh has no axis {axis}{suggestion}.",
    hint: "Its axes are {axes}.",
    exitCode: exitCodes.usage,
    httpStatus: 400,
  },
  E_MESH_RANK: {
    message: "The mesh of shape {shape} has no {what}.",
    hint: "Ranks go from 0 to {rankMax}; each coordinate from 0 to one less than its axis.",
    exitCode: exitCodes.usage,
    httpStatus: 400,
  },
  E_MESH_FLATTEN: {
    message: "The axes {flattened} cannot become one: {problem}.",
    hint: "Name axes that follow each other in {axes}, in this order.",
    exitCode: exitCodes.usage,
    httpStatus: 400,
  },
  E_LAYOUT_SPEC: {
    message: "{given} is no layout.",
    hint: "Give dist.replicate(), dist.shardSpec(…), dist.partial(op), or one placement for each mesh axis.",
    exitCode: exitCodes.usage,
    httpStatus: 400,
  },
  E_LAYOUT_LENGTH: {
    message: "The layout does not fit: {problem}.",
    hint: "partition[i] is split over meshAxes[i], so both have one entry for each split; placements have one for each mesh axis.",
    exitCode: exitCodes.usage,
    httpStatus: 400,
  },
  E_LAYOUT_AXIS: {
    message: "The layout uses the mesh axis {axis} twice.",
    hint: "A mesh axis splits one dimension, or holds partial values, or neither: name it once.",
    exitCode: exitCodes.usage,
    httpStatus: 400,
  },
  E_LAYOUT_DIM: {
    message: "The layout cannot split {dim} of a tensor of shape {shape}: {problem}.",
    hint: 'Name dimensions by number (0 first, -1 last), or as "row" (the first) and "col" (the last).',
    exitCode: exitCodes.usage,
    httpStatus: 400,
  },
  E_LAYOUT_SPLIT: {
    message: "The layout cannot split a dimension like this: {problem}.",
    hint: 'Splits are "ceil", "balanced" and "cyclic"; a block is a whole number of elements from 1 on, for "ceil" and "balanced".',
    exitCode: exitCodes.usage,
    httpStatus: 400,
  },
  E_LAYOUT_REDUCE: {
    message: "A layout cannot be partial by {op}: {problem}.",
    hint: "Partial values wait for one reduction: {ops}.",
    exitCode: exitCodes.usage,
    httpStatus: 400,
  },
  E_LAYOUT_PARTIAL: {
    message: "The tensor cannot be read: it holds values that are partial by {op} over {axes}.",
    hint: "Reduce it first: op.reducePartial(x), or redistribute it to dist.replicate().",
    exitCode: exitCodes.usage,
    httpStatus: 400,
  },
  E_REDISTRIBUTE: {
    message: "The tensor cannot go from {from} to {to}: {problem}.",
    hint: "{remedy}",
    exitCode: exitCodes.usage,
    httpStatus: 400,
  },
} as const satisfies Record<string, ErrorRow>;
