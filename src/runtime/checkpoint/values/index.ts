export { type FlatState, flattenState, isTensorLeaf, type TensorLeaf } from "./flatten-state.ts";
export { depthMax, isWellFormed, joinPath, leavesMax, setOwn } from "./path.ts";
export { rebuildState, ValuesError } from "./rebuild-state.ts";
