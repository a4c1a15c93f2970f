import type { ComponentChildren } from "preact";
import { navigate } from "../router.ts";

/** A link to a page of the dashboard; every other way to open it stays the browser's. */
export function Link(props: {
  readonly href: string;
  readonly class?: string;
  readonly title?: string;
  readonly "aria-current"?: "page";
  readonly "aria-label"?: string;
  readonly onClick?: () => void;
  readonly children?: ComponentChildren;
}) {
  const { onClick, ...rest } = props;
  return (
    <a
      {...rest}
      onClick={(event) => {
        const isPlain = event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey;
        if (!isPlain || event.altKey || event.defaultPrevented) return;
        event.preventDefault();
        onClick?.();
        navigate(props.href);
      }}
    />
  );
}
