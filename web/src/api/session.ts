import { signal } from "@preact/signals";
import type { SessionView } from "../../../src/control/api/session.ts";
import { apiGet, forgetPerson } from "./client.ts";
import { listen, sayLost, stopListening } from "./live.ts";
import { allows, type Role } from "./roles.ts";
import { keepToken, token } from "./token.ts";

export { allows, type Role, roles } from "./roles.ts";

/** Who we are to the server; undefined until it has answered. */
export const session = signal<SessionView | undefined>(undefined);

/** Goes up when another person reads: what is shown has to be asked for again. */
export const sessionEdition = signal(0);

/** Goes up when somebody signs out: the page begins anew, and nothing of theirs stays in it. */
export const departures = signal(0);

/** Whether the dialog to sign in is open. */
export const isSigningIn = signal(false);

/** Whether the caller may do what needs this role. */
export function may(role: Role): boolean {
  return allows(session.value, role);
}

let asking: { readonly as: string | undefined; readonly answer: Promise<SessionView> } | undefined;

/** Asks the server who we are, and listens to events when we may. Asked meanwhile, it is one question. */
export async function loadSession(): Promise<SessionView> {
  const as = token.value;
  if (asking?.as !== as || asking === undefined) asking = { as, answer: askSession() };
  const { answer } = asking;
  try {
    return await answer;
  } finally {
    if (asking?.answer === answer) asking = undefined;
  }
}

async function askSession(): Promise<SessionView> {
  const view = await apiGet<SessionView>("session");
  take(view);
  return view;
}

/**
 * Takes the token if the server knows it; else says why not. Meanwhile whatever else the page asks for is
 * asked with the old one: an answer to a wrong one would be taken for our own.
 */
export async function signIn(given: string): Promise<string | undefined> {
  const as = given.trim();
  let view: SessionView;
  try {
    view = await apiGet<SessionView>("session", {}, { as });
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
  if (view.role === null || view.tokenProblem !== null) {
    return tokenWords(view) ?? "The server does not know this token.";
  }
  keepToken(as);
  forgetPerson();
  take(view);
  sessionEdition.value++;
  return undefined;
}

/** What is wrong with the token that we send; undefined when nothing is. */
export function tokenWords({ tokenProblem }: SessionView): string | undefined {
  return tokenProblem === null ? undefined : `The token is ${tokenProblem}.`;
}

/** Leaves, whether or not the server is there to hear of it. */
export async function signOut(): Promise<void> {
  keepToken(undefined);
  stopListening();
  forgetPerson();
  session.value = undefined;
  sessionEdition.value++;
  departures.value++;
  // The frame asks again for as long as the line is lost.
  await loadSession().catch(sayLost);
}

function take(view: SessionView): void {
  session.value = view;
  if (allows(view, "read")) listen();
  else stopListening();
}
