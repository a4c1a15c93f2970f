import { useEffect, useState } from "preact/hooks";
import { navigate } from "../router.ts";
import { Dialog } from "../ui/dialog.tsx";
import { type Hit, search } from "./search.ts";
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
  const { hits, isBusy } = useHits(text.trim());
  const [at, setAt] = useState(0);
  useEffect(() => setAt(0), [hits]);
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
        {wordsOf(text.trim(), hits.length, isBusy)}
      </p>
    </div>
  );
}

function useHits(text: string): { readonly hits: readonly Hit[]; readonly isBusy: boolean } {
  const [found, setFound] = useState<{ text: string; hits: readonly Hit[] }>({
    text: "",
    hits: [],
  });
  useEffect(() => {
    if (text === "") {
      setFound({ text, hits: [] });
      return;
    }
    const controller = new AbortController();
    const timer = setTimeout(() => {
      void search(text, controller.signal).then((hits) => {
        if (!controller.signal.aborted) setFound({ text, hits });
      });
    }, restMs);
    return () => {
      clearTimeout(timer);
      controller.abort();
    };
  }, [text]);
  return { hits: found.hits, isBusy: found.text !== text };
}

function wordsOf(text: string, hits: number, isBusy: boolean): string {
  if (text === "") return "Arrows choose, Enter opens.";
  if (isBusy) return "Looking…";
  if (hits === 0) return `Nothing is called ${text}.`;
  return `${hits} found.`;
}
