import { createHash } from "node:crypto";
import {
  type FaultAction,
  type FaultKind,
  faultLabels,
  nodeLabelValue,
  nodeOf,
} from "../objects/index.ts";

/** A name that no other fault has: `xid-3fa9c0d1e2b4`. */
export function newFaultName(
  kind: FaultKind,
  random: { bytes(sizeBytes: number): Uint8Array },
): string {
  return `${kind}-${Buffer.from(random.bytes(6)).toString("hex")}`;
}

/** What faults are found by. */
export function labelsOf(spec: {
  readonly run: string;
  readonly action: FaultAction;
}): Readonly<Record<string, string>> {
  const node = nodeOf(spec.action);
  return {
    [faultLabels.run]: runLabelValue(spec.run),
    [faultLabels.kind]: spec.action.kind,
    ...(node === undefined ? {} : { [faultLabels.node]: nodeLabelValue(node) }),
  };
}

/** A run's name as the value of a label; hashed where it may not be one. */
export function runLabelValue(run: string): string {
  if (/^[A-Za-z0-9](?:[-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?$/.test(run)) return run;
  return `run-${createHash("sha256").update(run).digest("hex").slice(0, 40)}`;
}
