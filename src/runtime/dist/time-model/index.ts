export { modelCollective } from "./model-collective.ts";
export {
  type Algorithm,
  algorithms,
  type CollectiveEstimate,
  type CollectiveOp,
  type CollectivePhase,
  type CollectiveQuery,
  collectiveOps,
} from "./types.ts";
