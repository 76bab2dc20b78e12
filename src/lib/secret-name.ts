/** Names of keys and variables that say: here is a secret. */

/** Ends of names of keys and variables that hold secrets, by their parts. */
// prettier-ignore
const SECRET_NAMES: readonly string[] = [
  "password", "passwd", "passphrase", "secret", "secrets", "token", "apikey", "credential", "credentials", "authorization",
  "cookie", "bearer", "jwt", "privatekey", "api key", "access key", "private key", "secret key", "signing key", "encryption key", "account key",
  "auth key", "session key", "master key", "ssh key", "connection string", "db pwd", "user pwd", "admin pwd", "root pwd",
];

/** What may stand behind them: `SECRET_KEY_BASE`, `api_key_2`, `passwordOld`. Not so `token_count`, `secretName`, `password-file`. */
const SECRET_NAME = new RegExp(`(?:^| )(?:${SECRET_NAMES.join("|")})(?: (?:base|value|text|prod|dev|test|staging|live|old|new|\\d{1,4}))?$`);

/** Whether a key or variable of this name holds a secret: `apiKey`, `GITHUB_TOKEN`, `db-password`; not `tokens`, `author`, `PWD`. */
export function isSecretName(name: string): boolean {
  const known = names.get(name);
  if (known !== undefined) return known;
  const parts = name
    .slice(-NAME_LENGTH)
    .replaceAll(/([a-z0-9])([A-Z])|([A-Za-z])(\d+$)/g, "$1$3 $2$4")
    .replaceAll(/[^A-Za-z0-9]+/g, " ")
    .trim()
    .toLowerCase();
  const secret = SECRET_NAME.test(parts);
  if (names.size < NAMES_KEPT) names.set(name, secret);
  return secret;
}

const names = new Map<string, boolean>();
const NAMES_KEPT = 2_000;
const NAME_LENGTH = 200;
