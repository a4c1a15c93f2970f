import type { ComponentChildren } from "preact";
import "./button.css";

export function Button(props: {
  readonly kind?: "primary" | "danger" | "plain";
  readonly onClick?: (() => void) | undefined;
  readonly disabled?: boolean | undefined;
  /** Something is under way: it cannot be pressed twice. */
  readonly busy?: boolean | undefined;
  readonly type?: "button" | "submit";
  readonly title?: string | undefined;
  readonly small?: boolean;
  readonly "aria-label"?: string;
  readonly "aria-pressed"?: boolean;
  readonly children?: ComponentChildren;
}) {
  const { kind = "plain", busy = false, small = false, ...rest } = props;
  return (
    <button
      {...rest}
      type={props.type ?? "button"}
      class={`button button-${kind}${small ? " button-small" : ""}`}
      disabled={props.disabled === true || busy}
      aria-busy={busy}
    />
  );
}
