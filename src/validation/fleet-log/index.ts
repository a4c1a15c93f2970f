export { type DefectKind, defectKinds, fleetChecks } from "./catalogue.ts";
export { simulateFleet } from "./generate.ts";
export type { FleetLogOptions } from "./options.ts";
