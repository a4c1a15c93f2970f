import { Dialog } from "../ui/dialog.tsx";
import { navigationGroups } from "./navigation-entries.ts";

export function HelpDialog(props: { readonly open: boolean; readonly onClose: () => void }) {
  const entries = navigationGroups.flatMap((group) => group.entries);
  return (
    <Dialog open={props.open} title="Keyboard shortcuts" onClose={props.onClose}>
      <dl class="keys">
        <dt>
          <kbd>/</kbd>
        </dt>
        <dd>Search</dd>
        <dt>
          <kbd>?</kbd>
        </dt>
        <dd>This help</dd>
        {entries.flatMap(({ key, title, href }) =>
          key === undefined
            ? []
            : [
                <dt key={`${href} key`}>
                  <kbd>g</kbd> <kbd>{key}</kbd>
                </dt>,
                <dd key={href}>{title}</dd>,
              ],
        )}
      </dl>
    </Dialog>
  );
}
