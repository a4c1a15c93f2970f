/** One event of the stream. */
export interface StreamEvent {
  readonly id: string | undefined;
  readonly type: string;
  readonly data: string;
}

/**
 * Reads the text of an event stream as it comes, in pieces that may end anywhere. Gives whole events;
 * comments and retries are passed over.
 */
export function createEventReader(): (piece: string) => StreamEvent[] {
  let rest = "";
  return (piece) => {
    rest += piece.replaceAll("\r\n", "\n");
    const blocks = rest.split("\n\n");
    rest = blocks.pop() ?? "";
    return blocks.flatMap(eventOf);
  };
}

function eventOf(block: string): StreamEvent[] {
  let id: string | undefined;
  let type = "message";
  const data: string[] = [];
  for (const line of block.split("\n")) {
    const colon = line.indexOf(":");
    if (colon <= 0) continue;
    const value = line.slice(colon + 1).replace(/^ /, "");
    switch (line.slice(0, colon)) {
      case "id":
        id = value;
        break;
      case "event":
        type = value;
        break;
      case "data":
        data.push(value);
        break;
      default:
        break;
    }
  }
  return data.length === 0 ? [] : [{ id, type, data: data.join("\n") }];
}
