/** What becomes of the text that the address of a new experiment asks for. */
export type StartingStep = "wait" | "give" | "hold";

/**
 * `give` puts the text into the editor: once for an address, since asked for again it would replace what was
 * written since. `hold` leaves what a person wrote or pasted before the text came; they may still ask for it.
 */
export function startingStep(at: {
  /** The text, once it is there. */
  readonly found: string | null | undefined;
  readonly address: string;
  /** The address that was last seen to. */
  readonly doneFor: string | undefined;
  /** In the editor now, and when this address was asked for. */
  readonly text: string;
  readonly textBefore: string;
}): StartingStep {
  if (at.found === undefined || at.found === null || at.doneFor === at.address) return "wait";
  return at.text === at.textBefore ? "give" : "hold";
}
