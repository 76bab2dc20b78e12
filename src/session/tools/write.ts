import { defineTool, filledText, text } from "./define.ts";
import { placeOf } from "./place.ts";
import { standingAt, storeText } from "./store.ts";
import { toolError } from "./tool.ts";

/** Writes a whole file, with the folders above it. */
export const writeTool = defineTool({
  name: "Write",
  description: "Writes a text file: creates it, with the folders above it, or replaces all of it. For a change in a file use Edit.",
  input: { file_path: filledText("The file to write"), content: text("The whole text of the file") },
  run: async ({ file_path, content }, context) => {
    const path = placeOf(file_path, context);
    const before = await standingAt(path);
    if (before.kind === "folder") return toolError(`${file_path} is a folder, which Write can't replace`);
    if (before.kind === "special") return toolError(`${file_path} is not a regular file, so it is not written`);
    context.signal.throwIfAborted();
    await storeText(path, content);
    const bytes = Buffer.byteLength(content);
    return { output: `${before.kind === "nothing" ? "Created" : "Replaced"} ${file_path} (${bytes} bytes).`, isError: false };
  },
});
