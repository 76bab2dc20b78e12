import { codeOf, messageOf } from "../../lib/errors.ts";
import { isObject, lookup, own } from "../../lib/json.ts";

/** What a failed file operation means, in words for a model. */
export function fileErrorText(error: unknown): string {
  const words = lookup(FILE_ERRORS, codeOf(error));
  const path = isObject(error) ? own(error, "path") : undefined;
  return words === undefined ? messageOf(error) : `${typeof path === "string" ? path : "the file"} ${words}`;
}

const FILE_ERRORS: { readonly [code: string]: string } = {
  ENOENT: "does not exist",
  EACCES: "may not be accessed",
  EPERM: "may not be changed",
  EISDIR: "is a folder",
  ENOTDIR: "lies below something that is not a folder",
  EEXIST: "exists already, and is not a folder",
  ELOOP: "is a link that never ends",
  ENAMETOOLONG: "has a name that is too long",
  ENOSPC: "does not fit: the disk is full",
  EROFS: "is on a disk that can't be written",
  EMFILE: "could not be opened: too many open files",
};
