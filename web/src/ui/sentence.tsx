import { splitMoments } from "./split-moments.ts";
import { Time } from "./time.tsx";

/** Found with a group, so that every second part is one. */
const glued = /([\d.,]+ %)/;

/**
 * A sentence of the server: its moments in the reader's own zone like all others on the page, a value and
 * its per cent sign on one line.
 */
export function Sentence({ text }: { readonly text: string }) {
  return (
    <>
      {splitMoments(text).map((part, place) =>
        "at" in part ? (
          <Time key={place} at={part.at} />
        ) : (
          <span key={place}>
            {part.text.split(glued).map((piece, at) =>
              at % 2 === 0 ? (
                piece
              ) : (
                <span key={at} class="nowrap">
                  {piece}
                </span>
              ),
            )}
          </span>
        ),
      )}
    </>
  );
}
