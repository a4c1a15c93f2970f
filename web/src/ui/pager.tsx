import { queryParam, setQuery } from "../router.ts";
import { Button } from "./button.tsx";
import "./pager.css";

/** The place in the list that the page's address names; undefined at its beginning. */
export function listCursor(): string | undefined {
  return queryParam("cursor");
}

/** Beneath a list that comes in pages, newest first; nothing where all of it fits into one. */
export function Pager({ next }: { readonly next: string | null }) {
  const isFirst = listCursor() === undefined;
  if (next === null && isFirst) return null;
  return (
    <div class="row pager">
      {isFirst ? null : (
        <Button small onClick={() => setQuery({ cursor: undefined }, { asNewPlace: true })}>
          Back to the newest
        </Button>
      )}
      {next === null ? null : (
        <Button small onClick={() => setQuery({ cursor: next }, { asNewPlace: true })}>
          Older ones
        </Button>
      )}
    </div>
  );
}
