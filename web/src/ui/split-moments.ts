/** A part of a sentence: words, or a moment as the server writes it. */
export type SentencePart = { readonly text: string } | { readonly at: string };

/** A moment of UTC in full; without its zone it could be anybody's. */
const moment = /\b(\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?Z)\b/;

/** Parts a sentence at the moments in it. */
export function splitMoments(sentence: string): readonly SentencePart[] {
  return sentence
    .split(moment)
    .map((part, place): SentencePart => {
      const isMoment = place % 2 === 1 && !Number.isNaN(Date.parse(part));
      return isMoment ? { at: part } : { text: part };
    })
    .filter((part) => "at" in part || part.text !== "");
}
