import { Component, type ComponentChildren } from "preact";
import { forgetAll } from "../api/client.ts";
import { Button } from "../ui/button.tsx";
import { Code } from "../ui/code.tsx";
import { Link } from "../ui/link.tsx";
import { Page } from "../ui/page.tsx";

interface Props {
  readonly path: string;
  readonly children: ComponentChildren;
}

/** Keeps the frame alive when a page throws, and says so. */
export class CrashGuard extends Component<Props, { readonly error: unknown }> {
  override state = { error: undefined as unknown };

  static override getDerivedStateFromError(error: unknown) {
    return { error };
  }

  readonly #tryAgain = () => {
    // What is remembered may be what it crashed on.
    forgetAll();
    this.setState({ error: undefined });
  };

  override render({ children }: Props) {
    const { error } = this.state;
    if (error === undefined) return children;
    const text = error instanceof Error ? (error.stack ?? error.message) : JSON.stringify(error);
    return (
      <Page
        title="This page crashed"
        lede="The rest of Tessera goes on; only this view has a mistake in it."
        actions={
          <>
            <Button kind="primary" onClick={this.#tryAgain}>
              Try again
            </Button>
            <Link href="/" class="button button-plain">
              To the overview
            </Link>
          </>
        }
      >
        <Code label="what happened" text={text} maxHeight="20rem" />
      </Page>
    );
  }
}
