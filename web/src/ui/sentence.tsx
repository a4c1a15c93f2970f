import { splitMoments } from "./split-moments.ts";
import { Time } from "./time.tsx";

/** Split by a group, every second part is one. */
const share = /([\d.,]+ %)/;

/**
 * A sentence of the server, its moments in the reader's own zone like all others on the page, and no per
 * cent sign without its number.
 */
export function Sentence({ text }: { readonly text: string }) {
  return (
    <>
      {splitMoments(text).map((part, place) =>
        "at" in part ? (
          <Time key={place} at={part.at} />
        ) : (
          <span key={place}>
            {part.text.split(share).map((words, at) =>
              at % 2 === 0 ? (
                words
              ) : (
                <span key={at} class="nowrap">
                  {words}
                </span>
              ),
            )}
          </span>
        ),
      )}
    </>
  );
}
