import { useEffect, useState } from "preact/hooks";
import { Button } from "./button.tsx";
import "./code.css";

const toldMs = 2000;

/** Text of a program with a button that copies it. */
export function Code(props: {
  readonly text: string;
  /** What it is: read out, and on the button. */
  readonly label: string;
  readonly maxHeight?: string;
}) {
  const [told, setTold] = useState<string | undefined>(undefined);
  useEffect(() => {
    if (told === undefined) return;
    const timer = setTimeout(() => setTold(undefined), toldMs);
    return () => clearTimeout(timer);
  }, [told]);
  const copy = () => {
    void copyText(props.text).then((done) => setTold(done ? "Copied" : "Select it and copy"));
  };
  return (
    <div class="code">
      <pre
        tabIndex={0}
        role="region"
        aria-label={props.label}
        style={props.maxHeight === undefined ? {} : { maxHeight: props.maxHeight }}
      >
        <code>{props.text}</code>
      </pre>
      <Button small onClick={copy} aria-label={`Copy ${props.label}`}>
        <span aria-live="polite">{told ?? "Copy"}</span>
      </Button>
    </div>
  );
}

/** Browsers give the clipboard to secure pages only; plain HTTP on another machine is not one. */
async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return false;
  }
}
