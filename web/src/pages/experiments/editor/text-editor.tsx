import { useEffect, useRef } from "preact/hooks";
import { Words } from "../../../ui/words.tsx";
import { lineCount, offsetOfLine, type ProblemLine } from "../model/problem-lines.ts";
import "./text-editor.css";

/** A field for a file: monospace, line numbers, and the lines that are wrong marked in the gutter. */
export function TextEditor(props: {
  readonly label: string;
  readonly value: string;
  readonly problems: readonly ProblemLine[];
  readonly onInput: (value: string) => void;
}) {
  const area = useRef<HTMLTextAreaElement>(null);
  const gutter = useRef<HTMLDivElement>(null);
  const wrong = new Set(props.problems.map(({ line }) => line));
  const first = props.problems[0]?.line;
  useEffect(() => {
    if (first !== undefined && area.current !== null) goToLine(area.current, first);
  }, [props.problems]);
  const count = lineCount(props.value);
  return (
    <div class="editor">
      <div class="editor-box">
        <div class="editor-gutter" ref={gutter} aria-hidden="true">
          {Array.from({ length: count }, (_, at) => at + 1).map((line) => (
            <div key={line} class={wrong.has(line) ? "editor-wrong" : undefined}>
              {wrong.has(line) ? `✕ ${line}` : line}
            </div>
          ))}
        </div>
        <textarea
          ref={area}
          class="editor-text"
          aria-label={props.label}
          aria-invalid={wrong.size > 0}
          spellcheck={false}
          autocomplete="off"
          autocapitalize="off"
          wrap="off"
          value={props.value}
          onInput={(event) => props.onInput(event.currentTarget.value)}
          onScroll={(event) => {
            if (gutter.current !== null) gutter.current.scrollTop = event.currentTarget.scrollTop;
          }}
        />
      </div>
      {props.problems.length === 0 ? null : (
        <ul class="editor-problems" role="alert">
          {props.problems.map(({ line, text }) => (
            <li key={`${line}-${text}`}>
              <button
                type="button"
                class="editor-jump"
                onClick={() => area.current !== null && goToLine(area.current, line)}
              >
                Line {line}
              </button>{" "}
              <Words text={text} />
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}

/** Selects the line and brings it into sight. */
function goToLine(area: HTMLTextAreaElement, line: number): void {
  const from = offsetOfLine(area.value, line);
  const end = area.value.indexOf("\n", from);
  area.focus();
  area.setSelectionRange(from, end < 0 ? area.value.length : end);
  const lineHeight = Number.parseFloat(getComputedStyle(area).lineHeight);
  area.scrollTop = Math.max(0, (line - 4) * (Number.isNaN(lineHeight) ? 20 : lineHeight));
}
