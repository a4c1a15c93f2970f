/** One thing that a schema found, and for a value of several forms what each form found. */
export interface SchemaIssue {
  readonly path: readonly PropertyKey[];
  readonly message: string;
  readonly code?: string | undefined;
  readonly errors?: readonly (readonly SchemaIssue[])[] | undefined;
}

export interface NearestIssue {
  readonly place: readonly string[];
  readonly message: string;
}

/** Of the forms that a value may have, the one it comes closest to tells most: ours, or the deepest. */
export function nearestIssue(issues: readonly SchemaIssue[]): NearestIssue {
  const all = issues.flatMap((issue) => leavesOf(issue, []));
  const [first] = all.toSorted(
    (one, other) =>
      Number(other.isOurs) - Number(one.isOurs) || other.place.length - one.place.length,
  );
  return first ?? { place: [], message: "it has another form" };
}

interface Leaf extends NearestIssue {
  /** Written by us, for people. */
  readonly isOurs: boolean;
}

function leavesOf(issue: SchemaIssue, above: readonly string[]): readonly Leaf[] {
  const place = [...above, ...issue.path.map(String)];
  const inner = (issue.errors ?? []).flatMap((form) => form.flatMap((one) => leavesOf(one, place)));
  if (inner.length > 0) return inner;
  return [{ place, message: issue.message, isOurs: issue.code === "custom" }];
}
