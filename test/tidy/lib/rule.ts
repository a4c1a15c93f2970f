import type { Tree } from "./tree.ts";

/** One place where the repository breaks a rule. */
export interface Finding {
  readonly path: string;
  /** Counted from 1; absent when the finding is about the whole file or folder. */
  readonly line?: number;
  /** What was found, short and stable, so that an exception can name it: `Date.now`. */
  readonly what: string;
  /** What is wrong and what to do, one sentence. */
  readonly message: string;
}

/** A promise the repository keeps. Pure: the same tree gives the same findings. */
export interface Rule {
  /** Short name, for exceptions and messages. */
  readonly name: string;
  /** What holds when there are no findings, as the title of a test. */
  readonly promise: string;
  find(tree: Tree): readonly Finding[];
}

/** Leave to break one rule in one place. */
export interface Exception {
  readonly rule: string;
  /** A file, or a folder when it ends in a slash. */
  readonly path: string;
  /** Only findings of this `what`; every finding of the rule when absent. */
  readonly what?: string;
  readonly reason: string;
}

/** What is left of a rule's findings after its exceptions, and exceptions nothing needs any more. */
export function judge(rule: Rule, tree: Tree, exceptions: readonly Exception[]): Finding[] {
  const own = exceptions.filter((exception) => exception.rule === rule.name);
  const used = new Set<Exception>();
  const left = rule.find(tree).filter((finding) => {
    const exception = own.find((candidate) => excuses(candidate, finding));
    if (exception !== undefined) used.add(exception);
    return exception === undefined;
  });
  const stale = own.filter((exception) => !used.has(exception));
  return [...left, ...stale.map(staleFinding)];
}

export function formatFinding(finding: Finding): string {
  const line = finding.line === undefined ? "" : `:${finding.line}`;
  return `${finding.path}${line} ${finding.message}`;
}

function excuses(exception: Exception, finding: Finding): boolean {
  const inPlace = exception.path.endsWith("/")
    ? finding.path.startsWith(exception.path)
    : finding.path === exception.path;
  return inPlace && (exception.what === undefined || exception.what === finding.what);
}

function staleFinding(exception: Exception): Finding {
  const what = exception.what === undefined ? "" : ` (${exception.what})`;
  return {
    path: exception.path,
    what: "stale exception",
    message: `no longer needs its exception from "${exception.rule}"${what}: remove it`,
  };
}
