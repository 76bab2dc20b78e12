/** What a prepared child is told: counted fields of bytes, so that any byte may be in them. */

/** What a child becomes. */
export interface ZygoteRequest {
  /** What is opened as its stdin. */
  readonly stdin: string;
  readonly cwd: string;
  /** Undefined: as the zygote's. */
  readonly umask: number | undefined;
  readonly env: { readonly [name: string]: string };
  readonly file: string;
  readonly args: readonly string[];
}

/** Encodes a request; of the environment only what differs from the zygote's own. Undefined: no process could be given this. */
export function encodeRequest(request: ZygoteRequest, base: { readonly [name: string]: string }): Buffer | undefined {
  const { set, unset } = difference(request.env, base);
  const mask = request.umask === undefined ? "" : request.umask.toString(8);
  const fields = [request.stdin, request.cwd, mask, counted(unset), counted(set), request.file, ...request.args];
  const names = set.filter((_, index) => index % 2 === 0);
  if (names.some((name) => name === "" || name.includes("="))) return undefined;
  if ([request.cwd, request.file, ...request.args, ...set].some((text) => text.includes("\0"))) return undefined;
  return counted([counted(fields)]);
}

/** A request that only says where the request is: longer ones do not fit into a pipe. */
export function encodeReference(path: string): Buffer {
  return counted([counted(["", path])]);
}

/** The body of an encoded request, as a file holds it. */
export function bodyOf(encoded: Buffer): Buffer {
  return encoded.subarray(COUNT_BYTES);
}

function difference(
  env: { readonly [name: string]: string },
  base: { readonly [name: string]: string },
): { readonly set: readonly string[]; readonly unset: readonly string[] } {
  const set: string[] = [];
  for (const name of Object.keys(env)) {
    const value = env[name];
    if (value !== undefined && (value !== base[name] || !Object.hasOwn(base, name))) set.push(name, value);
  }
  return { set, unset: Object.keys(base).filter((name) => !Object.hasOwn(env, name)) };
}

const COUNT_BYTES = 4;

function counted(fields: readonly (string | Buffer)[]): Buffer {
  const sizes = fields.map((field) => Buffer.byteLength(field));
  const bytes = Buffer.allocUnsafe(sizes.reduce((sum, size) => sum + COUNT_BYTES + size, 0));
  let at = 0;
  fields.forEach((field, index) => {
    at = bytes.writeUInt32BE(sizes[index] ?? 0, at);
    at += typeof field === "string" ? bytes.write(field, at) : field.copy(bytes, at);
  });
  return bytes;
}
