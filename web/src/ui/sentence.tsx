import { splitMoments } from "./split-moments.ts";
import { Time } from "./time.tsx";

/** A sentence of the server, its moments in the reader's own zone like all others on the page. */
export function Sentence({ text }: { readonly text: string }) {
  return (
    <>
      {splitMoments(text).map((part, place) =>
        "at" in part ? <Time key={place} at={part.at} /> : <span key={place}>{part.text}</span>,
      )}
    </>
  );
}
