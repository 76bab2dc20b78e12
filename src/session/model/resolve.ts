/** `--model` → a model that can be called. */
import { resolve } from "node:path";
import { lookup } from "../../lib/json.ts";
import { nearest } from "../../lib/nearest.ts";
import { SnaphookError } from "../../model/errors.ts";
import type { Model } from "./model.ts";
import { apiAddress, PROVIDERS, type ProviderId, type ProviderRow } from "./providers.ts";
import type { Waiting } from "./retry.ts";

/** Where a model is looked up. */
export interface ModelSurroundings {
  readonly env: { readonly [name: string]: string | undefined };
  readonly cwd: string;
  /** Called before a failed call is tried again. */
  readonly onWait?: (waiting: Waiting) => void;
}

/** Finds the model of `script:FILE` or `provider:name`; without either, that of the first provider with a key. */
export async function resolveModel(spec: string | undefined, surroundings: ModelSurroundings): Promise<Model> {
  const chosen = spec ?? firstWithKey(surroundings.env);
  if (chosen === undefined) throw new SnaphookError("SNAP_NO_MODEL");
  const [, id = "", name = ""] = /^([^:]*):?([\s\S]*)$/.exec(chosen) ?? [];
  if (id === "script") return loadScriptFile(name, surroundings.cwd);
  const provider = providerId(id, chosen);
  const row: ProviderRow = PROVIDERS[provider];
  const model = name === "" ? row.defaultModel : name;
  if (model === null) throw usage(`model "${chosen}" names no model: write ${provider}:NAME.`);
  const { providerModel } = await import("./provider.ts");
  return providerModel({
    provider,
    name: model,
    ...serverOf(provider, surroundings.env),
    ...windowGiven(surroundings.env),
    onWait: surroundings.onWait,
    env: surroundings.env,
  });
}

async function loadScriptFile(file: string, cwd: string): Promise<Model> {
  if (file === "") throw usage("model script: names no file: write script:FILE.");
  const { loadScript } = await import("./script.ts");
  return loadScript(resolve(cwd, file), file);
}

function firstWithKey(env: ModelSurroundings["env"]): string | undefined {
  const found = Object.entries<ProviderRow>(PROVIDERS).find(([, { key, needsKey }]) => needsKey && isSet(env[key]));
  return found && `${found[0]}:`;
}

function providerId(id: string, spec: string): ProviderId {
  if (isProvider(id)) return id;
  const known = ["script", ...Object.keys(PROVIDERS)];
  const meant = nearest(id, known);
  const hint = meant === undefined ? "." : `, did you mean "${meant}"?`;
  const form = spec.includes(":") ? `has no known provider${hint}` : `names no provider: write it as provider:name${hint}`;
  throw usage(`model "${spec}" ${form} Known: ${known.join(", ")}.`);
}

function isProvider(id: string): id is ProviderId {
  return lookup<ProviderRow>(PROVIDERS, id) !== undefined;
}

/** The server that the environment names, if it names one. */
function serverOf(provider: ProviderId, env: ModelSurroundings["env"]): { readonly baseURL?: string } {
  const { baseURL, address, defaultBaseURL }: ProviderRow = PROVIDERS[provider];
  const variable = baseURL.find((name) => isSet(env[name]));
  if (variable === undefined) {
    if (defaultBaseURL === null) throw usage(`model ${provider}: needs a server: set ${baseURL.join(" or ")}, as http://127.0.0.1:8000/v1.`);
    return {};
  }
  const url = apiAddress(env[variable] ?? "", address);
  // The address itself may hold a password: it is not repeated here.
  if (url === undefined) throw usage(`${variable} is not an address; write it as http://127.0.0.1:8000/v1.`);
  if (new URL(url).username !== "") throw usage(`${variable} holds a user name: put the key into ${PROVIDERS[provider].key} instead.`);
  return { baseURL: url };
}

/** For servers whose window nobody can know. */
function windowGiven({ SNAPHOOK_CONTEXT_WINDOW: given }: ModelSurroundings["env"]): { readonly contextWindow?: number } {
  if (!isSet(given)) return {};
  if (!/^[1-9]\d{0,8}$/.test(given)) throw usage(`SNAPHOOK_CONTEXT_WINDOW "${given}" is not a number of tokens; write it as 32768.`);
  return { contextWindow: Number(given) };
}

function isSet(value: string | undefined): value is string {
  return value !== undefined && value.trim() !== "";
}

function usage(message: string): SnaphookError {
  return new SnaphookError("SNAP_USAGE", { message });
}
