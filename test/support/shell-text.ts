/** Texts for a shell, as properties need them: of pieces that mean something, in any order. */
import fc from "fast-check";

const words = fc.array(
  fc.constantFrom(
    "a",
    "b2",
    "-n",
    "-f",
    "/etc",
    "x=y",
    "=",
    "!=",
    "1",
    "2",
    "%s",
    "%d",
    ":",
    ".",
    "]",
    "[",
    "!",
    "'a  b'",
    "''",
    "'\\n'",
    "'*'",
    '"c d"',
    '""',
    '"$A"',
    '"${B}"',
    '"$A$B"',
    '"-$C-"',
    '"$NONE"',
    "$A",
    "\\",
    "*",
    "~",
    "#",
    '"\\""',
    "é",
    "'é'",
    ",",
    "@",
    "+",
  ),
  { maxLength: 6 },
);
const glue = fc.constantFrom(" ", " ", " ", "  ", "\t", "");

/** Words, glued together or not. */
const wordsText = fc.tuple(words, glue).map(([each, between]) => each.join(between));

const name = fc.constantFrom("true", "false", ":", "echo", "echo", "echo", "printf", "exit", "test", "[", "'echo'", "no-such-command", "pwd", "cat");
const redirection = fc.constantFrom("", "", "", " >&2", " 2>&1", " >/dev/null", " 2> /dev/null", " >&2 2>&1", " 1>&2");
/** A backslash before what joins commands would make a pipe of it, whose ends print in any order. */
const wholeWords = wordsText.filter((text) => !text.endsWith("\\"));
const command = fc.tuple(name, wholeWords, redirection).map(([first, rest, redirected]) => `${first} ${rest}${first === "[" ? " ]" : ""}${redirected}`);
const joint = fc.constantFrom(";", " ; ", " && ", "&&", " || ", "||");

/** Generators. */
export const shellText = {
  words: wordsText,
  commands: fc.tuple(fc.array(fc.tuple(command, joint), { maxLength: 3 }), command).map(([before, last]) => `${before.flat().join("")}${last}`),
};
