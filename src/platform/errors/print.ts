import { isTesseraError, type TesseraError } from "./tessera-error.ts";

const causesShownMax = 5;

/** The one readable paragraph for an error: code, what was wrong, why, what to do. */
export function formatError(error: TesseraError): string {
  const causes = causeMessages(error);
  const because = causes.length === 0 ? "" : ` Cause: ${causes.join(": ")}.`;
  return `${error.code}: ${asSentence(error.message)}${because} ${asSentence(error.hint)}`.trim();
}

/** The stack of an error and of everything beneath it, for --verbose. */
export function formatStack(error: unknown): string {
  const stacks: string[] = [];
  let current: unknown = error;
  while (current instanceof Error && stacks.length < causesShownMax) {
    stacks.push(current.stack ?? String(current));
    current = current.cause;
  }
  return stacks.join("\ncaused by: ");
}

/** Messages of the chain of causes, leaving out what the error's own message already says. */
function causeMessages(error: TesseraError): string[] {
  const messages: string[] = [];
  let current: unknown = error.cause;
  while (current instanceof Error && messages.length < causesShownMax) {
    const message = firstLine(current.message);
    const said = [error.message, ...messages].some((earlier) => earlier.includes(message));
    if (message !== "" && !said)
      messages.push(isTesseraError(current) ? `${current.code} ${message}` : message);
    current = current.cause;
  }
  return messages;
}

function firstLine(text: string): string {
  return text.split("\n", 1)[0]?.trim().replace(/\.$/, "") ?? "";
}

function asSentence(text: string): string {
  const trimmed = text.trim();
  return trimmed === "" || /[.!?]$/.test(trimmed) ? trimmed : `${trimmed}.`;
}
