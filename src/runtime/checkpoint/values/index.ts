export { type FlatState, flattenState, isTensorLeaf, type TensorLeaf } from "./flatten-state.ts";
export {
  depthMax,
  joinPath,
  leavesMax,
  nameCharactersMax,
  setOwn,
} from "./path.ts";
export { rebuildState, ValuesError } from "./rebuild-state.ts";
