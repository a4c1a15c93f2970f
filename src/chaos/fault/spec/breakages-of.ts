import { didYouMean } from "../../../platform/config/index.ts";
import { TesseraError } from "../../../platform/errors/index.ts";
import type { Breakage } from "../../../runtime/dist/health/index.ts";
import { collectiveConverters } from "./collective-faults.ts";
import { type Converter, invalidFault } from "./converter.ts";
import { deviceConverters } from "./device-faults.ts";
import type { FaultSpec } from "./fault-spec.ts";
import { linkConverters } from "./link-faults.ts";

/** How each fault is written into the record of what is broken. */
const converters: Readonly<Record<keyof FaultSpec, Converter>> = {
  ...deviceConverters,
  ...linkConverters,
  ...collectiveConverters,
};

const known = Object.keys(converters) as readonly (keyof FaultSpec)[];

/** What a spec breaks. @throws E_FAULT_UNKNOWN, E_FAULT_INVALID */
export function breakagesOf(spec: FaultSpec): readonly Breakage[] {
  const given = Object.entries(spec).filter(([, value]) => value !== undefined);
  if (given.length === 0) {
    throw invalidFault("{}", "it names nothing to break", `Name one of ${known.join(", ")}.`);
  }
  return given.flatMap(([name, value]) => {
    const fault = known.find((one) => one === name);
    if (fault === undefined) throw unknownFault(name);
    return converters[fault](fault, value);
  });
}

function unknownFault(name: string): TesseraError {
  const suggestion = didYouMean(name, known);
  return new TesseraError("E_FAULT_UNKNOWN", { fault: name, suggestion, known: known.join(", ") });
}
