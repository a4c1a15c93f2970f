import type { JsonObject } from "../../platform/store/index.ts";
import { formatBytes } from "../../platform/units/index.ts";
import { medianOf } from "../classify/stats/robust.ts";
import { type HcaMovement, type HcaPort, hcaMovements } from "./hca-port.ts";
import type { NcclLog } from "./log-reader.ts";

/** The cards of a run and their counters around it. */
export interface HcaEvidence {
  /** Names of the cards that must have carried the data, each its share. */
  readonly expected: readonly string[];
  readonly before: readonly HcaPort[];
  readonly after: readonly HcaPort[];
  /** What all cards together must have sent at least, when that is known. */
  readonly sentBytesMin?: number;
}

export interface HcaFinding {
  readonly refusals: readonly string[];
  readonly evidence: JsonObject;
}

/** How far a card may be from the middle of its siblings. */
const spreadMax = 0.05;

/** Whether every card carried its share of the data without a mistake. */
export function refuseHcas(given: HcaEvidence | undefined, log: NcclLog): HcaFinding {
  if (given === undefined || given.expected.length === 0) {
    return { refusals: ["the counters of the network cards were not read"], evidence: {} };
  }
  const movements = hcaMovements(given.before, given.after);
  const refusals = [...refuseStrangers(given, log)];
  const found: HcaMovement[] = [];
  for (const hca of given.expected) {
    const movement = movements.find((one) => one.hca === hca);
    if (movement === undefined) refusals.push(`there are no counters of ${hca}`);
    else found.push(movement);
  }
  refusals.push(...found.flatMap(refuseMovement), ...refuseSpread(found));
  const sent = found.reduce((sum, { sentBytes }) => sum + (sentBytes ?? 0), 0);
  const { sentBytesMin } = given;
  if (sentBytesMin !== undefined && refusals.length === 0 && sent < sentBytesMin) {
    refusals.push(
      `the cards sent ${formatBytes(sent)}, and the run needs ${formatBytes(sentBytesMin)}`,
    );
  }
  return { refusals, evidence: evidenceOf(given, found) };
}

/** Cards that NCCL used although nobody watched them. */
function refuseStrangers({ expected }: HcaEvidence, log: NcclLog): readonly string[] {
  const used = new Set(
    log.connections.flatMap(({ path: { device } }) =>
      device === undefined ? [] : (log.devices.get(device) ?? []),
    ),
  );
  const strangers = [...used].filter((name) => !expected.includes(name));
  return strangers.map((name) => `data went through ${name}, which is not one of the cards`);
}

function refuseMovement({ hca, sentBytes, errors, unread }: HcaMovement): readonly string[] {
  const refusals: string[] = [];
  if (sentBytes === undefined) {
    refusals.push(`the port_xmit_data of ${hca} is missing or was set back`);
  } else if (sentBytes === 0) refusals.push(`${hca} sent nothing`);
  for (const [name, growth] of Object.entries(errors)) {
    refusals.push(`${name} of ${hca} grew by ${growth}`);
  }
  if (unread.length > 0) {
    refusals.push(`of ${hca} these are missing or were set back: ${unread.join(", ")}`);
  }
  return refusals;
}

function refuseSpread(movements: readonly HcaMovement[]): readonly string[] {
  const sent = movements.map(({ sentBytes }) => sentBytes ?? 0);
  if (sent.some((bytes) => bytes === 0)) return [];
  const middle = medianOf(sent);
  return movements.flatMap(({ hca, sentBytes = 0 }) => {
    const share = sentBytes / middle - 1;
    if (Math.abs(share) <= spreadMax) return [];
    const than = `${(Math.abs(share) * 100).toFixed(1)} % ${share < 0 ? "less" : "more"}`;
    return [`${hca} sent ${than} than the middle of its siblings, ${formatBytes(middle)}`];
  });
}

function evidenceOf(given: HcaEvidence, movements: readonly HcaMovement[]): JsonObject {
  const cards = movements.map(({ hca, sentBytes, errors }) => [
    hca,
    { sentBytes: sentBytes ?? null, errors: { ...errors } },
  ]);
  return {
    expected: [...given.expected],
    ...(given.sentBytesMin === undefined ? {} : { sentBytesMin: given.sentBytesMin }),
    cards: Object.fromEntries(cards),
  };
}
