export { type FaultParams, faultCatalogue, faultEntry, isFaultName } from "./catalogue.ts";
export {
  type FaultEntry,
  type FaultFamily,
  type FaultTargetKind,
  type FaultWorlds,
  faultFamilies,
  faultTargetKinds,
} from "./fault-entry.ts";
export {
  type FaultParamRow,
  type FaultRow,
  faultTable,
  faultTableMarkdown,
} from "./fault-table.ts";
export { type JsonSchema, paramsJsonSchema } from "./params-json-schema.ts";
export { resolveParams } from "./resolve-params.ts";
