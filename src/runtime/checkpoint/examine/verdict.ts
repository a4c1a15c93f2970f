/** What is known about one file. */
export interface FileVerdict {
  /** The path that was asked about, and the file's place below it. */
  readonly path: string;
  readonly ok: boolean;
  /** Why it is bad, in one sentence; only of a bad file. */
  readonly error?: string;
  /** The rule it breaks: `piece-hash`, `stale-file`, …; only of a bad file. */
  readonly rule?: string;
  /** The tensor it is about, where it is about one. */
  readonly tensor?: string;
}

/** What `tessera checkpoint verify` says about a path. */
export interface VerifyResult {
  /** True when there is a file to judge and none is bad. */
  readonly ok: boolean;
  /** Every file that was judged, in the order of their paths; missing ones that must be there too. */
  readonly files: readonly FileVerdict[];
}
