import type { z } from "zod";
import { didYouMean } from "../../../platform/config/suggest.ts";
import { TesseraError } from "../../../platform/errors/index.ts";
import { type FaultName, faultNames } from "../fault-names.ts";
import { collectiveFaults } from "./collectives.ts";
import { corruptionFaults } from "./corruption.ts";
import { deviceFaults } from "./devices.ts";
import type { FaultEntry } from "./fault-entry.ts";
import { kubernetesFaults } from "./kubernetes.ts";
import { networkFaults } from "./network.ts";
import { slurmFaults } from "./slurm.ts";
import { storeFaults } from "./stores.ts";
import { workerFaults } from "./workers.ts";

const entries = {
  ...deviceFaults,
  ...workerFaults,
  ...networkFaults,
  ...collectiveFaults,
  ...corruptionFaults,
  ...storeFaults,
  ...kubernetesFaults,
  ...slurmFaults,
} as const satisfies Readonly<Record<FaultName, FaultEntry>>;

/** Every fault, by name. */
export const faultCatalogue: Readonly<Record<FaultName, FaultEntry>> = entries;

/** The parameters of a fault, complete. */
export type FaultParams<Name extends FaultName = FaultName> = z.output<
  (typeof entries)[Name]["params"]
>;

export function isFaultName(name: string): name is FaultName {
  return Object.hasOwn(entries, name);
}

/** What the catalogue says of a fault. @throws E_FAULT_UNKNOWN, with the nearest name. */
export function faultEntry(name: string): FaultEntry {
  if (isFaultName(name)) return faultCatalogue[name];
  const suggestion = didYouMean(name, faultNames);
  throw new TesseraError("E_FAULT_UNKNOWN", {
    fault: name,
    suggestion,
    known: faultNames.join(", "),
  });
}
