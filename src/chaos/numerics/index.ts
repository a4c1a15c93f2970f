export type {
  Corruption,
  NumericInputs,
  NumericStep,
  Numerics,
  ReplicaInput,
  StateRef,
} from "./numerics.ts";
