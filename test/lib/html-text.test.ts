import { expect, test } from "vitest";
import { htmlToText } from "../../src/lib/html-text.ts";

test.each([
  ["<p>a</p><p>b</p>", "a\n\nb"],
  ["a<br>b", "a\nb"],
  ["<ul><li>a</li><li>b</li></ul>", "- a\n\n- b"],
  ['<a href="https://x.example/?a=1&amp;b=2">x</a>', "x (https://x.example/?a=1&b=2)"],
  ["<a href='#top'>x</a> <a href='javascript:y()'>z</a>", "x z"],
  ["<script>if (a < b) { '</p>' }</script>text<style>p{}</style>", "text"],
  ["a <!-- <p>hidden</p> --> b", "a b"],
  ["1 < 2 &amp;&amp; 3 &gt; 2 &#228; &#x1F600; &nope; &#0;", "1 < 2 && 3 > 2 ä 😀 &nope; &#0;"],
  ["<pre>if x:\n    y()\n</pre>", "if x:\n    y()"],
  ["<img alt='a > b'>x", "x"],
  ["<title>T</title><body>b", "T\n\nb"],
  ["<noscript>never closed <p>text", "never closed\n\ntext"],
  ["<div", ""],
  ["", ""],
])("%j", (html, text) => {
  expect(htmlToText(html)).toBe(text);
});

test("no page makes it slow", () => {
  const started = performance.now();
  for (const piece of ["<", "<a href='", "<!--", "<script>", "<p ", "&#", "<svg>", "</"]) htmlToText(piece.repeat(50_000));
  expect(performance.now() - started).toBeLessThan(10_000);
});
