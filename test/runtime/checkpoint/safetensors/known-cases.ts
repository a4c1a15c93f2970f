import type { KnownCase } from "./known-case.ts";
import { knownEntries } from "./known-entries.ts";
import { knownTexts } from "./known-texts.ts";

/** Every rule from both sides. The reference implementation gives the same verdict on all of them. */
export const knownCases: readonly KnownCase[] = [...knownTexts, ...knownEntries];
