/** Server-sent events over fetch: EventSource can't send a header. */

/** One event. */
export interface ServerEvent {
  readonly id: string;
  readonly kind: string;
  readonly data: string;
}

/** Reads events from a stream as they come. */
export async function* readEvents(stream: ReadableStream<Uint8Array<ArrayBuffer>>): AsyncGenerator<ServerEvent> {
  const reader = stream.pipeThrough(new TextDecoderStream()).getReader();
  let rest = "";
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      const blocks = (rest + value).split("\n\n");
      rest = blocks.pop() ?? "";
      for (const block of blocks) yield parseEvent(block);
    }
  } finally {
    await reader.cancel().catch(() => {});
  }
}

/** One block of lines. */
export function parseEvent(block: string): ServerEvent {
  const event = { id: "", kind: "message", data: "" };
  for (const line of block.split("\n")) {
    const colon = line.indexOf(":");
    const value = line.slice(colon + 1).replace(/^ /, "");
    if (line.startsWith("id:")) event.id = value;
    else if (line.startsWith("event:")) event.kind = value;
    else if (line.startsWith("data:")) event.data += event.data === "" ? value : `\n${value}`;
  }
  return event;
}
