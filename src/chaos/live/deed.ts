import type { Undo } from "../ledger/index.ts";

/** One thing that is broken: how it is taken back, how it is done, and what shows it. */
export interface Deed {
  readonly target: string;
  readonly undo: Undo;
  /** With `dryRun` whoever rules there checks all that can be checked, and nothing changes. */
  act(how: { readonly dryRun: boolean }): Promise<void>;
  /**
   * What is left to be done once `act` is through. From just before that its undo takes the place of the first:
   * whoever takes back must not undo a step that was never begun.
   */
  readonly second?: { readonly undo: Undo; act(): Promise<void> };
  /** What is seen of it by now. Asked again and again. */
  see(): Promise<Sight>;
  /** So long its effect may take to show. @default two minutes */
  readonly showsWithinMs?: number;
  /** What has come of it by the time it is taken back, where more may come than its first sign. */
  seeAtEnd?(): Promise<Sight>;
}

/** An effect in words, or nothing yet; `why` says what was seen in its place. */
export type Sight = { readonly effect: string } | { readonly why: string };
