/** Text of models, hooks and tools, made harmless to read: what nobody can see is shown. */
import { showHidden } from "../../../src/lib/hidden";
import type { Place } from "./shapes";

export { showHidden as visible } from "../../../src/lib/hidden";

/** Characters of a text that a row has room for. */
const ROW_CHARACTERS = 400;

/** A text on one line of a list: its beginning, where it is long. */
export function brief(text: string): string {
  return showHidden(text.length <= ROW_CHARACTERS ? text : `${text.slice(0, ROW_CHARACTERS)}…`);
}

/** A time of day. */
export function clock(at: string): string {
  const date = new Date(at);
  return Number.isNaN(date.getTime()) ? at : date.toLocaleTimeString([], { hourCycle: "h23", hour: "2-digit", minute: "2-digit", second: "2-digit" });
}

/** A day and a time of day. */
export function moment(at: string): string {
  const date = new Date(at);
  if (Number.isNaN(date.getTime())) return at;
  return `${date.toLocaleDateString([], { month: "short", day: "numeric" })} ${clock(at)}`;
}

/** A number that people can read. */
export function count(number: number): string {
  return number.toLocaleString("en-US");
}

/** So many of something. */
export function counted(number: number, one: string, many = `${one}s`): string {
  return `${count(number)} ${number === 1 ? one : many}`;
}

/** A place in a file, as a terminal and an editor spell it; within a folder from there on. */
export function place({ file, line, column }: Place, folder = ""): string {
  const path = folder !== "" && file.startsWith(`${folder}/`) ? file.slice(folder.length + 1) : file;
  return showHidden([path, line, column].filter((part) => part !== undefined).join(":"));
}

/** A duration, short. */
export function duration(ms: number): string {
  if (ms < 1) return `${Math.round(ms * 1_000)} µs`;
  return ms < 1_000 ? `${ms < 10 ? ms.toFixed(1) : Math.round(ms)} ms` : `${Number((ms / 1_000).toFixed(1))} s`;
}
