import { describe, expect, test } from "vitest";
import { compileUrlPattern } from "../../src/lib/url-pattern.ts";

const fits = (pattern: string, url: string): boolean | undefined => compileUrlPattern(pattern)?.fits(new URL(url));

describe("a pattern of addresses", () => {
  test.each([
    ["https://hooks.example.com/*", "https://hooks.example.com/a/b?c=d"],
    ["https://hooks.example.com/*", "https://HOOKS.example.com:443/"],
    ["https://hooks.example.com", "https://hooks.example.com/"],
    ["https://*.example.com/in/*/end", "https://a.b.example.com/in/x/y/end"],
    ["hooks.example.com/*", "http://hooks.example.com/x"],
    ["*://hooks.example.com/*", "http://hooks.example.com/x"],
    ["http://localhost:*", "http://localhost:8080/hook"],
    ["http://127.0.0.1:8080/*", "http://127.1:8080/hook"],
    ["http://[::1]:*/hook", "http://[0:0:0:0:0:0:0:1]:9/hook"],
    ["https://*", "https://anywhere.example:8443/x"],
    ["*", "http://anywhere.example/"],
    ["https://bücher.example/*", "https://xn--bcher-kva.example/x"],
  ])("%s fits %s", (pattern, url) => expect(fits(pattern, url)).toBe(true));

  test.each([
    ["https://hooks.example.com/*", "http://hooks.example.com/"],
    ["https://hooks.example.com/*", "https://hooks.example.com:8443/"],
    ["https://hooks.example.com/*", "https://hooks.example.com.evil.example/"],
    ["https://hooks.example.com/*", "https://hooks.example.com@evil.example/"],
    ["https://*.example.com/*", "https://evil.example/.example.com/"],
    ["https://*.example.com/*", "https://evil.example?.example.com/"],
    ["https://*.example.com/*", "https://example.com/"],
    ["https://hooks.example.com/in/*", "https://hooks.example.com/in/../out"],
    ["https://hooks.example.com/in/*", "https://hooks.example.com/in/%2e%2e/out"],
    ["https://hooks.example.com", "https://hooks.example.com/in"],
    ["https://hooks.example.com/in", "https://hooks.example.com/in?more"],
    ["http://localhost:80*1/", "http://localhost:8001/"],
    ["https://a.example/x*x", "https://a.example/x"],
  ])("%s does not fit %s", (pattern, url) => expect(fits(pattern, url)).not.toBe(true));

  test.each(["", "https://", "ftp://a.example/*", "https://a b/*", "https://user@a.example/*", "/path", "https://[::1"])("%j is none", (text) =>
    expect(compileUrlPattern(text)).toBeUndefined(),
  );

  test("knows whether its host is spelt out", () => {
    expect(["http://127.1:*", "https://*.example.com/*", "https://A.example/*"].map((text) => compileUrlPattern(text)?.host)).toEqual([
      "127.0.0.1",
      null,
      "a.example",
    ]);
  });
});
