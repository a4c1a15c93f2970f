/** What several devices say to one question. */
export interface VoteResult {
  /** What more than half of them say; undefined when no answer has a majority. */
  readonly agreed: string | undefined;
  /** The devices that say something else than the majority; empty without one. */
  readonly odd: readonly string[];
  /** Who says what, the largest group first. */
  readonly groups: readonly { readonly answer: string; readonly devices: readonly string[] }[];
}

/**
 * The majority among devices that computed the same thing. Two devices that differ have none: one of
 * them is wrong, and only another look can tell which.
 */
export function vote(answers: ReadonlyMap<string, string>): VoteResult {
  const byAnswer = new Map<string, string[]>();
  for (const [device, answer] of answers) {
    const known = byAnswer.get(answer);
    if (known === undefined) byAnswer.set(answer, [device]);
    else known.push(device);
  }
  const groups = [...byAnswer]
    .map(([answer, devices]) => ({ answer, devices }))
    .toSorted((a, b) => b.devices.length - a.devices.length);
  const [largest, ...others] = groups;
  const hasMajority = largest !== undefined && 2 * largest.devices.length > answers.size;
  if (!hasMajority) return { agreed: undefined, odd: [], groups };
  return { agreed: largest.answer, odd: others.flatMap(({ devices }) => devices), groups };
}

/**
 * The result of a vote in a sentence's end; undefined when all agree.
 *
 * @param wrong devices whose answer was found wrong by itself: where no majority decides, they do.
 */
export function describeVote(
  { agreed, odd, groups }: VoteResult,
  wrong: ReadonlySet<string> = new Set(),
): string | undefined {
  const total = groups.reduce((sum, { devices }) => sum + devices.length, 0);
  if (groups.length <= 1) return undefined;
  if (agreed !== undefined) {
    const verb = odd.length === 1 ? "has" : "have";
    return `${joined(odd)} ${verb} other bits than the other ${total - odd.length} of ${total}`;
  }
  const right = groups.filter(({ devices }) => !devices.some((device) => wrong.has(device)));
  const [only, ...rest] = right;
  if (only !== undefined && rest.length === 0) {
    const others = groups.filter((group) => group !== only).flatMap(({ devices }) => devices);
    return `the bits of ${joined(others)} differ from those of ${joined(only.devices)}, and are wrong by themselves`;
  }
  const sides = groups.map(({ devices }) => joined(devices)).join(" against ");
  return `${sides}: the bits differ and no majority says which are right`;
}

function joined(names: readonly string[]): string {
  if (names.length < 2) return names.join("");
  return `${names.slice(0, -1).join(", ")} and ${names.at(-1)}`;
}
