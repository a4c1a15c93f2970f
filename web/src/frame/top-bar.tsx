import { connection } from "../api/live.ts";
import "./top-bar.css";

/** What stands above every page: the menu on small screens, search, and how the line stands. */
export function TopBar(props: {
  readonly isMenuOpen: boolean;
  readonly onMenu: () => void;
  readonly onSearch: () => void;
  readonly onHelp: () => void;
}) {
  return (
    <header class="top">
      <button
        type="button"
        class="top-button top-menu"
        aria-expanded={props.isMenuOpen}
        aria-controls="navigation"
        onClick={props.onMenu}
      >
        <span aria-hidden="true">☰</span>
        <span class="sr">Menu</span>
      </button>
      <button type="button" class="top-search" onClick={props.onSearch}>
        <span>Search nodes, runs, experiments</span>
        <kbd aria-hidden="true">/</kbd>
      </button>
      <ConnectionState />
      <button
        type="button"
        class="top-button"
        aria-label="Keyboard shortcuts"
        onClick={props.onHelp}
      >
        ?
      </button>
    </header>
  );
}

const words = {
  off: "Not signed in",
  connecting: "Connecting",
  live: "Live",
  lost: "Connection lost",
} as const;

function ConnectionState() {
  const { state } = connection.value;
  return (
    <span class={`line line-${state}`} role="status">
      <i aria-hidden="true" />
      {words[state]}
    </span>
  );
}
