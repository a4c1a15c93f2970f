import { Link } from "../ui/link.tsx";
import { Empty } from "../ui/notes.tsx";
import { Page } from "../ui/page.tsx";

export function NotFound({ path }: { readonly path: string }) {
  return (
    <Page title="No such page">
      <Empty
        title={`Nothing is at ${path}`}
        text="The address may be old or mistyped."
        action={
          <Link href="/" class="button button-primary">
            To the overview
          </Link>
        }
      />
    </Page>
  );
}
