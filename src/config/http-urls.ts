/** Which addresses http hooks may be sent to: every layer above a hook that has a list must let its address through. Pure. */
import type { Action, Hook } from "../model/hook.ts";
import { LAYERS } from "../model/layer.ts";
import { sourceText } from "../model/source.ts";
import { boundBy, isGuest } from "./authority.ts";
import type { ConfigFile } from "./read.ts";
import type { UrlList } from "./terms.ts";

/** The file with its http hooks as the lists of all files leave them. */
export function withUrlLists(file: ConfigFile, files: readonly ConfigFile[]): ConfigFile {
  const above = boundBy(file.source, files);
  const layers = LAYERS.map((layer) => above.filter(({ source }) => source.layer === layer).flatMap(({ terms }) => terms.urls ?? []));
  const lists = layers.filter((each) => each.length > 0);
  if (lists.length === 0 || !file.hooks.some(({ action }) => action.type === "http")) return file;
  const owners = above.filter((each) => !isGuest(each) && each.terms.urls);
  const managed = owners.filter(({ source }) => source.layer === "managed");
  // Where managed settings have a list, nobody else opens a private network.
  const openers = (managed.length > 0 ? managed : owners).flatMap(({ terms }) => terms.urls ?? []);
  const bounded = (hook: Hook): Hook => (hook.action.type === "http" ? { ...hook, action: boundedAction(hook.action, { lists, openers }) } : hook);
  return { ...file, hooks: file.hooks.map(bounded) };
}

interface Lists {
  /** The lists of each layer: an address must be in one of every layer's. */
  readonly lists: readonly (readonly UrlList[])[];
  /** Whose spelt-out hosts may be in a private network. */
  readonly openers: readonly UrlList[];
}

function boundedAction(action: Extract<Action, { type: "http" }>, { lists, openers }: Lists): Action {
  const url = new URL(action.url);
  const closed = lists.find((layer) => !layer.some(({ patterns }) => patterns.some(({ fits }) => fits(url))));
  const allowPrivate = openers.some(({ patterns }) => patterns.some(({ host, fits }) => host !== null && fits(url)));
  return { ...action, allowPrivate, refused: closed ? refusalOf(url, closed) : null };
}

function refusalOf({ origin, pathname }: URL, lists: readonly UrlList[]): string {
  const places = lists.map(({ source }) => sourceText(source)).join(" and ");
  return `${origin}${pathname} is not in allowedHttpHookUrls of ${places}: add it there, or send the hook to an address that is listed`;
}
