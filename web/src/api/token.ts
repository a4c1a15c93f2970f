import { signal } from "@preact/signals";

const key = "tessera.token";

/**
 * The token the person typed in. Session storage: it is gone with the tab, no other site sees it, and
 * it is sent only where this code sends it, so there is nothing for a forged request to ride on.
 */
export const token = signal<string | undefined>(read());

/** Counts answers that said "who are you?"; the frame then asks the server who we are. */
export const strangerAnswers = signal(0);

export function keepToken(given: string | undefined): void {
  try {
    if (given === undefined) sessionStorage.removeItem(key);
    else sessionStorage.setItem(key, given);
  } catch {
    // A browser that forbids storage keeps the token for this page only.
  }
  token.value = given;
}

/** @param as the token to send instead of the one that is kept */
export function authorization(as = token.value): Record<string, string> {
  return as === undefined ? {} : { authorization: `Bearer ${as}` };
}

function read(): string | undefined {
  try {
    return sessionStorage.getItem(key) ?? undefined;
  } catch {
    return undefined;
  }
}
