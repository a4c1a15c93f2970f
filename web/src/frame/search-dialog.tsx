import { useEffect, useRef, useState } from "preact/hooks";
import { navigate } from "../router.ts";
import { Dialog } from "../ui/dialog.tsx";
import { type Found, foundWords, type Hit, search } from "./search.ts";
import "./search.css";

const restMs = 180;

/** Finds nodes by name, runs and experiments by id, wherever one is. */
export function SearchDialog(props: { readonly open: boolean; readonly onClose: () => void }) {
  return (
    <Dialog open={props.open} title="Search" onClose={props.onClose}>
      <SearchBox onDone={props.onClose} />
    </Dialog>
  );
}

function SearchBox(props: { readonly onDone: () => void }) {
  const [text, setText] = useState("");
  const { found, isBusy } = useFound(text.trim());
  const { hits } = found;
  const [at, setAt] = useState(0);
  const chosen = useRef<HTMLLIElement>(null);
  useEffect(() => setAt(0), [hits]);
  useEffect(() => chosen.current?.scrollIntoView({ block: "nearest" }), [at, hits]);
  const open = (hit: Hit | undefined) => {
    if (hit === undefined) return;
    props.onDone();
    navigate(hit.href);
  };
  return (
    <div class="search">
      <input
        type="search"
        role="combobox"
        list={undefined}
        aria-label="Name of a node, or id of a run or experiment"
        aria-expanded={hits.length > 0}
        aria-controls="search-hits"
        aria-activedescendant={hits[at] === undefined ? undefined : `search-hit-${at}`}
        placeholder="Name of a node, or id of a run or experiment"
        autoComplete="off"
        spellcheck={false}
        value={text}
        onInput={(event) => setText(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key === "ArrowDown") setAt(Math.min(at + 1, hits.length - 1));
          else if (event.key === "ArrowUp") setAt(Math.max(at - 1, 0));
          else if (event.key === "Enter") {
            // What is listed still answers to an earlier text.
            if (!isBusy) open(hits[at]);
          } else return;
          event.preventDefault();
        }}
      />
      <ul id="search-hits" role="listbox" aria-label="Found">
        {hits.map((hit, place) => (
          <li
            key={hit.href}
            id={`search-hit-${place}`}
            role="option"
            ref={place === at ? chosen : null}
            aria-selected={place === at}
            onClick={() => open(hit)}
            onMouseMove={() => setAt(place)}
          >
            <span class="search-kind">{hit.kind}</span>
            <span class="search-title">{hit.title}</span>
            <span class="search-about">{hit.about}</span>
          </li>
        ))}
      </ul>
      <p class="muted small" role="status">
        {wordsOf(text.trim(), found, isBusy)}
      </p>
    </div>
  );
}

const nothingFound: Found = { hits: [], unasked: [] };

function useFound(text: string): { readonly found: Found; readonly isBusy: boolean } {
  const [answer, setAnswer] = useState({ text: "", found: nothingFound });
  useEffect(() => {
    if (text === "") {
      setAnswer({ text, found: nothingFound });
      return;
    }
    const controller = new AbortController();
    const timer = setTimeout(() => {
      void search(text, controller.signal).then((found) => {
        if (!controller.signal.aborted) setAnswer({ text, found });
      });
    }, restMs);
    return () => {
      clearTimeout(timer);
      controller.abort();
    };
  }, [text]);
  return { found: answer.found, isBusy: answer.text !== text };
}

function wordsOf(text: string, found: Found, isBusy: boolean): string {
  if (text === "") return "Arrows choose, Enter opens.";
  return isBusy ? "Looking…" : foundWords(text, found);
}
