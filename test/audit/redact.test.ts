/** No secret reaches a record: by name, by shape, by value. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { redactText, SECRET_SHAPES, secretValues } from "../../src/audit/redact.ts";
import { isSecretName } from "../../src/lib/secret-name.ts";
import { RecordText, TEXT_LIMITS } from "../../src/audit/text.ts";

const ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789".split("");
const letters = (min: number, max = min): fc.Arbitrary<string> => fc.string({ unit: fc.constantFrom(...ALPHABET), minLength: min, maxLength: max });
const capitals = (count: number): fc.Arbitrary<string> =>
  fc.string({ unit: fc.constantFrom(...ALPHABET.slice(0, 26), ...ALPHABET.slice(52)), minLength: count, maxLength: count });

/** Each shape: how a text with such a secret is made. */
const SECRETS: { readonly [shape: string]: fc.Arbitrary<{ readonly text: string; readonly secret: string }> } = {
  "an AWS key": capitals(16).map((key) => whole(`AKIA${key}`)),
  "a GitHub token": letters(36).map((key) => whole(`ghp_${key}`)),
  "a fine-grained GitHub token": letters(40).map((key) => whole(`github_pat_${key}`)),
  "a GitLab token": letters(20).map((key) => whole(`glpat-${key}`)),
  "a Slack token": letters(24).map((key) => whole(`xoxb-${key}`)),
  "an OpenAI or Anthropic key": letters(32).map((key) => whole(`sk-ant-api03-${key}`)),
  "a Stripe key": letters(24).map((key) => whole(`sk_live_${key}`)),
  "a Google key": letters(35).map((key) => whole(`AIza${key}`)),
  "an npm token": letters(36).map((key) => whole(`npm_${key}`)),
  "a JWT": fc.tuple(letters(12), letters(20), letters(20)).map(([one, two, three]) => whole(`eyJ${one}.${two}.${three}`)),
  "a bearer token": letters(20, 60).map((key) => inside("Authorization: Bearer ", key)),
  "a private key": letters(60, 200).map((key) => inside("-----BEGIN RSA PRIVATE KEY-----\n", key, "\n-----END RSA PRIVATE KEY-----")),
  "a private key that is cut off": letters(60, 200).map((key) => inside("-----BEGIN OPENSSH PRIVATE KEY-----\n", key)),
  "a password in a URL": letters(6, 30).map((key) => inside("postgres://bob:", key, "@db.example/x")),
  "an assignment": letters(6, 30).map((key) => inside("export DB_PASSWORD=", key, " && run")),
  "a quoted assignment": letters(6, 30).map((key) => inside("API_KEY='", key, "' run")),
  "a JSON text": letters(6, 30).map((key) => inside('{"client_secret": "', key, '"}')),
  "a JSON text in a JSON text": letters(6, 30).map((key) => inside('{\\"password\\":\\"', key, '\\"}')),
  "an option": letters(6, 30).map((key) => inside("tool --api-key ", key, " --verbose")),
  "curl's user": letters(6, 30).map((key) => inside("curl -u bob:", key, " https://example.org")),
  "a header": letters(6, 30).map((key) => inside("curl -H 'X-Api-Key: ", key, "'")),
};

function whole(secret: string): { readonly text: string; readonly secret: string } {
  return { text: secret, secret };
}

function inside(before: string, secret: string, after = ""): { readonly text: string; readonly secret: string } {
  return { text: `${before}${secret}${after}`, secret };
}

describe("shapes", () => {
  test.for(Object.entries(SECRETS))("%s is taken out, wherever it stands", ([, arbitrary]) => {
    const around = fc.constantFrom("", " ", "echo ", "x\n", "«", "a=1;");
    fc.assert(
      fc.property(arbitrary, around, around, ({ text, secret }, before, after) => {
        const clean = redactText(`${before}${text}${after === "" ? "" : ` ${after}`}`);
        expect(clean).not.toContain(secret);
        expect(clean).toContain("[redacted ");
        expect(redactText(clean)).toBe(clean);
      }),
      { numRuns: 60 },
    );
  });

  test("each shape has a mark that each of its texts contains", () => {
    const texts = Object.values(SECRETS).flatMap((arbitrary) => fc.sample(arbitrary, { numRuns: 20, seed: 1 }));
    for (const { pattern, marks, name } of SECRET_SHAPES) {
      const matching = texts.filter(({ text }) => text.replace(pattern, "") !== text);
      expect(
        matching.every(({ text }) => marks.some((mark) => text.toLowerCase().includes(mark))),
        name,
      ).toBe(true);
    }
  });

  test.for([
    "git commit -m 'pass the tests' && npm run key-test",
    "max_tokens=4096 tokens: 12",
    "https://example.org/a:b@c",
    "the secret of good tea",
    "TOKEN=$GITHUB_TOKEN run",
    "ls ~/.ssh/id_rsa.pub # public key",
    "PWD=/srv/project OLDPWD=/srv",
    "2026-11-15T10:00:00Z skipping basic tests",
  ])("%s is left as it is", (text) => {
    expect(redactText(text)).toBe(text);
  });

  test("text from outside does not make them slow: work grows with the length, not with its square", () => {
    const worst = [
      "a-".repeat(50_000),
      `${"x".repeat(50)}://`.repeat(2_000),
      "password=".repeat(10_000),
      "eyJ".repeat(30_000),
      `-----BEGIN ${"A ".repeat(40_000)}`,
    ];
    for (const text of worst) expect(typeof redactText(text)).toBe("string");
  });
});

describe("names", () => {
  test.for([
    "password",
    "apiKey",
    "API_KEY",
    "github-token",
    "AWS_SECRET_ACCESS_KEY",
    "clientSecret",
    "Authorization",
    "SECRET_KEY_BASE",
    "password2",
    "DB_PWD",
  ])("%s is a secret's", (name) => {
    expect(isSecretName(name)).toBe(true);
  });

  test.for(["PWD", "tokens", "max_tokens", "token_count", "author", "keyboard", "passed", "secretName", "publicKey", "monkey", "file_path", "command"])(
    "%s is not",
    (name) => {
      expect(isSecretName(name)).toBe(false);
    },
  );

  test("whatever stands under a secret's name is taken out, at any depth; flags and nothing stay", () => {
    const text = new RecordText().write({ a: [{ headers: { Authorization: ["x", { y: "hunter22" }], cookie: 7 } }], password: "", token: true, secret: null });
    expect(JSON.parse(text)).toEqual({
      a: [{ headers: { Authorization: "[redacted by name]", cookie: "[redacted by name]" } }],
      password: "",
      token: true,
      secret: null,
    });
  });
});

describe("values of variables with secret names", () => {
  test("are taken out of any text; short ones and paths are not looked for", () => {
    const env = { MY_API_TOKEN: "correct-horse", OTHER_TOKEN: "horse", KEY_PASSPHRASE: "/run/secrets/key", PATH: "/usr/bin:/bin" };
    expect(secretValues(env)).toEqual(["correct-horse"]);
    const text = new RecordText(secretValues(env)).write({ tool: { input: { command: "echo correct-horse | sed s/horse/cow/" } } });
    expect(JSON.parse(text)).toEqual({ tool: { input: { command: "echo [redacted variable] | sed s/horse/cow/" } } });
  });

  test("also one with characters that JSON escapes", () => {
    const secret = 'qu"ote\\back';
    expect(new RecordText([secret]).write({ reason: `is ${secret}` })).toBe('{"reason":"is [redacted variable]"}');
  });
});

describe("the text of a record", () => {
  test("says what JSON.stringify says of any value without secrets within the limits", () => {
    const key = fc.string({ unit: fc.constantFrom("a", "b", "c", " ", "é", '"', "\\", "\n"), maxLength: 5 });
    const value = fc.jsonValue({ maxDepth: 2, stringUnit: "binary" });
    fc.assert(
      fc.property(fc.dictionary(key, value, { maxKeys: 6 }), (record) => {
        expect(JSON.parse(new RecordText().write(record))).toEqual(JSON.parse(JSON.stringify(record)));
      }),
      { numRuns: 50 },
    );
  });

  test("a long text is kept as its beginning, its length and its hash", () => {
    const { output }: { output: string } = JSON.parse(new RecordText().write({ output: "é".repeat(50_000) }));
    expect(output).toMatch(/^é{1024}…\[cut: 50000 characters in all, sha256 [0-9a-f]{64}\]$/);
    const other: { output: string } = JSON.parse(new RecordText().write({ output: `${"é".repeat(49_999)}e` }));
    expect(other.output).not.toBe(output);
  });

  test("a secret in the preview of a very long text is taken out, and the hash is of what was redacted where that is possible", () => {
    const long = `token=hunter2hunter2 ${"x".repeat(1_000_000)}`;
    expect(new RecordText().write({ output: long })).toContain("token=[redacted secret] xxx");
    expect(new RecordText().write({ output: long })).not.toContain("hunter2");
  });

  test("lists, objects and depth end somewhere, and a record stays small whatever it is made of", () => {
    const deep: { [key: string]: unknown } = {};
    deep["self"] = deep;
    const record = {
      deep,
      many: Array.from({ length: 5_000 }, () => "y".repeat(5_000)),
      wide: Object.fromEntries(Array.from({ length: 500 }, (_, index) => [`k${index}`, index])),
      big: 10n,
      at: Symbol("x"),
    };
    const text = new RecordText().write(record);
    expect(text.length).toBeLessThan(262_144);
    const read: { many: string[]; wide: { [key: string]: unknown }; big: string } = JSON.parse(text);
    expect([read.many.length, read.many.at(-1), Object.keys(read.wide).length, read.big]).toEqual([
      TEXT_LIMITS.entries + 1,
      "[cut: 5000 items in all]",
      TEXT_LIMITS.entries + 1,
      "10",
    ]);
  });

  test("a secret stays one, however often it comes: beside others, again, and after a value that could not be read", () => {
    const writer = new RecordText();
    const record = { reason: "a plain reason", tool: { input: { command: "API_TOKEN=abcdefgh ls" } } };
    const unreadable = {
      command: "API_TOKEN=ijklmnop ls",
      get broken(): never {
        throw new Error("unreadable");
      },
    };
    expect(() => writer.write(unreadable)).toThrow("unreadable");
    const written = [writer.write(record), writer.write(record), writer.write({ command: unreadable.command })];
    expect(written.map((text) => /abcdefgh|ijklmnop/.test(text))).toEqual([false, false, false]);
    expect(written[0]).toBe('{"reason":"a plain reason","tool":{"input":{"command":"API_TOKEN=[redacted secret] ls"}}}');
  });

  test("what is known by heart is written as JSON.stringify writes it, also odd texts, numbers, gaps and empty values", () => {
    const writer = new RecordText();
    const record = {
      'a "key"': 'line\n\u0001 \ud800 \u2028 "é" 😀',
      numbers: [0, -0, 1.5, 1e21, -1e-7, Number.NaN, Infinity],
      gaps: [undefined, null, true, [], {}, { none: undefined }],
      none: undefined,
      last: { a: undefined, b: "" },
    };
    expect([writer.write(record), writer.write(record)]).toEqual([JSON.stringify(record), JSON.stringify(record)]);
  });

  test("the same value has the same text", () => {
    const record = { reason: "why", tool: { name: "Bash", input: { command: "API_TOKEN=abcdefgh ls" } } };
    const writer = new RecordText();
    expect([writer.write(record), writer.write(record), new RecordText().write(record)]).toEqual(Array.from({ length: 3 }, () => writer.write(record)));
  });
});
