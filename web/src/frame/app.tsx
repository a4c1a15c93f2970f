import { useEffect, useRef, useState } from "preact/hooks";
import { connection, sayLost } from "../api/live.ts";
import { toProblem } from "../api/problem.ts";
import { allows, departures, loadSession, session, signOut, tokenWords } from "../api/session.ts";
import { strangerAnswers } from "../api/token.ts";
import { Button } from "../ui/button.tsx";
import { Page } from "../ui/page.tsx";
import { Panel } from "../ui/panel.tsx";
import { CurrentPage } from "./current-page.tsx";
import { HelpDialog } from "./help-dialog.tsx";
import { Navigation } from "./navigation.tsx";
import { SearchDialog } from "./search-dialog.tsx";
import { SignInDialog, SignInForm } from "./sign-in.tsx";
import { Strips } from "./strips.tsx";
import { TopBar } from "./top-bar.tsx";
import { useShortcuts } from "./use-shortcuts.ts";
import "./app.css";

const retryMs = 2000;
/** The server is there and has enough of us for now. */
const refusedRetryMs = 10_000;

/** The frame around every page. */
export function App() {
  const [isMenuOpen, setMenuOpen] = useState(false);
  const [dialog, setDialog] = useState<"search" | "help" | undefined>(undefined);
  const close = () => setDialog(undefined);
  useSession();
  useShortcuts({ search: () => setDialog("search"), help: () => setDialog("help") });
  useEffect(() => {
    if (!isMenuOpen) return;
    const hear = (event: KeyboardEvent) => {
      if (event.key === "Escape") setMenuOpen(false);
    };
    document.addEventListener("keydown", hear);
    const navigation = document.getElementById("navigation");
    navigation?.querySelector<HTMLElement>("a")?.focus();
    return () => {
      document.removeEventListener("keydown", hear);
      // What had the focus is out of sight now.
      const isInside = navigation?.contains(document.activeElement) === true;
      if (isInside) document.querySelector<HTMLElement>(".top-menu")?.focus();
    };
  }, [isMenuOpen]);
  return (
    <div class="app">
      <a class="app-skip" href="#main">
        To the content
      </a>
      <Navigation isOpen={isMenuOpen} onGo={() => setMenuOpen(false)} />
      {isMenuOpen ? (
        <button
          type="button"
          class="app-shade"
          aria-label="Close the menu"
          onClick={() => setMenuOpen(false)}
        />
      ) : null}
      <div class="app-column">
        <TopBar
          isMenuOpen={isMenuOpen}
          onMenu={() => setMenuOpen(!isMenuOpen)}
          onSearch={() => setDialog("search")}
          onHelp={() => setDialog("help")}
        />
        <Strips />
        <main class="app-main" id="main" tabIndex={-1}>
          <Gate />
        </main>
      </div>
      <SignInDialog />
      <SearchDialog open={dialog === "search" && !isShut()} onClose={close} />
      <HelpDialog open={dialog === "help"} onClose={close} />
    </div>
  );
}

/** The server has said that this person may not even read. */
function isShut(): boolean {
  return session.value !== undefined && !allows(session.value, "read");
}

/** The page, for those who may read; for others the way in. */
function Gate() {
  const view = session.value;
  if (view === undefined || !isShut()) return <CurrentPage key={departures.value} />;
  return (
    <div class="gate">
      <Page
        title="Sign in"
        lede={tokenWords(view) ?? "This control plane shows nothing without a token."}
        actions={
          view.readsNeedToken ? null : (
            <Button onClick={() => void signOut()}>Read without a token</Button>
          )
        }
      >
        <Panel title="Your token">
          <SignInForm onDone={() => {}} />
        </Panel>
      </Page>
    </div>
  );
}

/** Finds out who we are: at the start, after the line was lost, and when the server says "who?". */
function useSession(): void {
  const { state } = connection.value;
  const asked = strangerAnswers.value;
  const known = useRef(asked);
  useEffect(() => {
    const isWhoAsked = known.current !== asked;
    known.current = asked;
    // The line was lost and is off now: the server has just said who we are, and that we may not listen.
    if (!isWhoAsked && connection.peek().state === "off") return;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const ask = () => {
      loadSession().catch((error: unknown) => {
        const { code, status } = toProblem(error);
        // Whoever answers with a status is there.
        if (status === 0 && code !== "E_OTHER_PERSON") sayLost();
        timer = setTimeout(ask, status === 0 ? retryMs : refusedRetryMs);
      });
    };
    ask();
    return () => clearTimeout(timer);
  }, [asked, state === "lost"]);
}
