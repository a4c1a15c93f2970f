/**
 * How an answer is checked, strongest first (styles A to D of the method):
 *
 * - `exact`: integer arithmetic knows it, whatever the order of sums;
 * - `repeat`: the same inputs give the same bits, again and on every device;
 * - `golden`: the bits that nodes with the same software agree on;
 * - `tolerance`: near to what higher precision gives.
 */
export const verifyStyles = ["exact", "repeat", "golden", "tolerance"] as const;
export type VerifyStyle = (typeof verifyStyles)[number];

/** Something wrong in an answer. */
export interface Problem {
  readonly style: VerifyStyle;
  /** One sentence without the device: `1 of 4096 elements is not …`. */
  readonly text: string;
}
