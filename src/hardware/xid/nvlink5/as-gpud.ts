import { hasPattern, type Nvlink5Rule, nvlink5Rules } from "./rules.ts";

/** What gpud reads from a long form. */
export interface LongForm {
  readonly xid: number;
  readonly unit: string;
  /** First register. */
  readonly intrInfo: number;
  /** Second register. */
  readonly status: number;
}

const known = nvlink5Rules.filter(
  (rule): rule is Nvlink5Rule & { unit: string } => rule.unit !== null,
);
/** Sub codes of XID 149 that its makers have seen to be fatal, whatever the table says. */
const fatalLinkEvents: ReadonlySet<number> = new Set([4, 10]);

/** Whether gpud's tables call a long form fatal; undefined when they do not have it. */
export function isFatalLongForm({ xid, unit, intrInfo, status }: LongForm): boolean | undefined {
  const rule = known.find(
    (one) =>
      one.xid === xid &&
      statusOf(one) === status &&
      unitsOf(one.unit).has(plainUnit(unit)) &&
      (hasPattern(intrInfo, one.v2) || hasPattern(intrInfo, one.v1)),
  );
  if (rule !== undefined) return rule.fatal;
  const subCode = (intrInfo >>> 20) & 0x3f;
  if (xid === 149 && fatalLinkEvents.has(subCode)) return true;
  // Without the very row it takes the worst of those with this sub code and status, of any unit.
  const alike = known.filter(
    (one) => one.xid === xid && one.subCode === subCode && statusOf(one) === status,
  );
  return alike.length === 0 ? undefined : alike.some(({ fatal }) => fatal);
}

/** What the table leaves open is zero in gpud's copy. */
function statusOf({ status }: Nvlink5Rule): number {
  return status === null ? 0 : Number.parseInt(status, 16);
}

/** Each name by itself, and all of them together. */
function unitsOf(units: string): ReadonlySet<string> {
  return new Set([...units.split("/"), units].map(plainUnit));
}

function plainUnit(unit: string): string {
  return unit.replaceAll("/", "");
}
