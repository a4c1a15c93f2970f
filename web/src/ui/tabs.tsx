import type { ComponentChildren } from "preact";
import { useId } from "preact/hooks";
import "./tabs.css";

/** A choice of views of one thing; arrows move between them. */
export function Tabs<Key extends string>(props: {
  readonly label: string;
  readonly tabs: readonly { readonly key: Key; readonly title: ComponentChildren }[];
  readonly current: Key;
  readonly onChange: (key: Key) => void;
  /** The view of the current tab. */
  readonly children?: ComponentChildren;
}) {
  const { tabs, current, onChange } = props;
  const id = useId();
  const move = (by: number) => {
    const at = tabs.findIndex(({ key }) => key === current);
    const next = tabs[(at + by + tabs.length) % tabs.length];
    if (next === undefined) return;
    onChange(next.key);
    document.getElementById(`${id}-${next.key}`)?.focus();
  };
  return (
    <div>
      <div
        class="tabs"
        role="tablist"
        aria-label={props.label}
        onKeyDown={(event) => {
          if (event.key === "ArrowRight") move(1);
          else if (event.key === "ArrowLeft") move(-1);
          else return;
          event.preventDefault();
        }}
      >
        {tabs.map(({ key, title }) => (
          <button
            key={key}
            id={`${id}-${key}`}
            type="button"
            role="tab"
            class="tab"
            aria-selected={key === current}
            aria-controls={`${id}-view`}
            tabIndex={key === current ? 0 : -1}
            onClick={() => onChange(key)}
          >
            {title}
          </button>
        ))}
      </div>
      <div id={`${id}-view`} role="tabpanel" aria-labelledby={`${id}-${current}`} class="tab-view">
        {props.children}
      </div>
    </div>
  );
}
