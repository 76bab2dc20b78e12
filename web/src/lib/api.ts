/** How the page talks to its server: the token comes from the address and goes into a header, nowhere else. */

const KEY = "snaphook-token";

/** Takes the token out of the address, so that it is in no screenshot and no history; a reload finds it again. A code that is good once is changed for it. */
export async function takeToken(location: Location, storage: Storage, replace: (path: string) => void): Promise<string> {
  const words = new URLSearchParams(location.hash.slice(1));
  const [given, once] = [words.get("token"), words.get("once")];
  if (given !== null || once !== null) replace(`${location.pathname}${location.search}`);
  const token = given ?? (once === null ? null : await exchange(once).catch(() => null));
  if (token !== null) storage.setItem(KEY, token);
  return token ?? storage.getItem(KEY) ?? "";
}

async function exchange(once: string): Promise<string | null> {
  const response = await fetch("/api/token", { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify({ once }) });
  const answer: unknown = await response.json();
  return typeof answer === "object" && answer !== null && "token" in answer && typeof answer.token === "string" ? answer.token : null;
}

/** An answer of the server that is no success. */
export class ApiError extends Error {
  readonly status: number;
  readonly body: unknown;

  constructor(status: number, body: unknown) {
    super(messageIn(body) ?? `the server answered ${status}`);
    this.status = status;
    this.body = body;
  }
}

function messageIn(body: unknown): string | undefined {
  return typeof body === "object" && body !== null && "error" in body && typeof body.error === "string" ? body.error : undefined;
}

/** Lines of a session's file, where they begin in it and where the next ones will. */
export interface Lines {
  readonly text: string;
  readonly start: number;
  readonly next: number;
}

/** One server, one token. */
export class Api {
  readonly #token: Promise<string>;

  constructor(token: Promise<string>) {
    this.#token = token;
  }

  async get(path: string): Promise<unknown> {
    return this.#ask(path, { headers: await this.#headers() });
  }

  async post(path: string, body: object): Promise<unknown> {
    return this.#ask(path, { method: "POST", headers: { ...(await this.#headers()), "content-type": "application/json" }, body: JSON.stringify(body) });
  }

  /** A file to keep. */
  async file(path: string): Promise<Blob> {
    return (await this.#good(path)).blob();
  }

  /** Lines of JSON, not read yet. */
  async lines(path: string): Promise<Lines> {
    const response = await this.#good(path);
    return { text: await response.text(), start: Number(response.headers.get("x-start")), next: Number(response.headers.get("x-next")) };
  }

  /** An open stream of server-sent events. */
  async stream(path: string, signal: AbortSignal): Promise<ReadableStream<Uint8Array<ArrayBuffer>>> {
    const response = await this.#good(path, { signal });
    if (!response.body) throw new ApiError(response.status, null);
    return response.body;
  }

  async #good(path: string, init: RequestInit = {}): Promise<Response> {
    const response = await fetch(`/api${path}`, { headers: await this.#headers(), ...init });
    if (!response.ok) throw new ApiError(response.status, await response.json().catch(() => null));
    return response;
  }

  async #ask(path: string, init: RequestInit): Promise<unknown> {
    const response = await fetch(`/api${path}`, init);
    const body: unknown = await response.json().catch(() => null);
    if (!response.ok) throw new ApiError(response.status, body);
    return body;
  }

  async #headers(): Promise<Record<string, string>> {
    return { authorization: `Bearer ${await this.#token}` };
  }
}
