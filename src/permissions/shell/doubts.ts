/** What a doubt stops: `deny` means some unknown command may run, `allow` that no pattern can cover it. */
interface DoubtRow {
  readonly deny: boolean;
  readonly allow: boolean;
  /** Not even a bare `Bash` covers it: it can't be handed to a shell as it is. */
  readonly bare: boolean;
  readonly construct: string;
  readonly why: string;
  readonly advice: string;
}

/** Every construct that can't be resolved, what it stops, and what a user can do about it. */
// prettier-ignore
export const DOUBTS = {
  "not-text":       { deny: true,  allow: true,  bare: true,  construct: "a command that is not text",       why: "the tool call has no command string",                                   advice: "send the command as one string" },
  "odd-character":  { deny: true,  allow: true,  bare: true,  construct: "an unusable character",            why: "the text holds a NUL, a lone surrogate or a reserved character",        advice: "remove the character" },
  "too-long":       { deny: true,  allow: true,  bare: true,  construct: "a very long command",              why: "the text is above the limit",                                           advice: "put it in a script file and run that" },
  "too-slow":       { deny: true,  allow: true,  bare: true,  construct: "a command that takes too long to read", why: "the time budget was spent",                                        advice: "split it into several calls" },
  "too-deep":       { deny: true,  allow: true,  bare: true,  construct: "deep nesting",                     why: "scripts within scripts go beyond the limit",                            advice: "flatten the command" },
  "syntax":         { deny: true,  allow: true,  bare: false, construct: "a syntax error",                   why: "bash would not read the text as written",                               advice: "correct the syntax" },
  "no-command":     { deny: true,  allow: true,  bare: false, construct: "text without a command",           why: "no command was found in it",                                            advice: "write the command plainly" },
  "unknown-syntax": { deny: true,  allow: true,  bare: false, construct: "syntax that is not understood",    why: "the parser reported a construct that is in no table",                    advice: "write it in a simpler way" },
  "disagreement":   { deny: true,  allow: true,  bare: false, construct: "ambiguous syntax",                 why: "two readings of the text do not agree on its commands",                  advice: "write it in a simpler way" },
  "glued-comment":  { deny: true,  allow: true,  bare: false, construct: "a # glued to a word",              why: "it may or may not start a comment",                                     advice: "put a blank before the #" },
  "hidden-code":    { deny: true,  allow: true,  bare: false, construct: "a substitution inside a literal",  why: "a plain word still holds $( ), ${ }, a backtick or <( )",                advice: "quote it with single quotes" },
  "odd-escape":     { deny: true,  allow: true,  bare: false, construct: "an odd escape in $'…'",            why: "the escape is not documented",                                          advice: "write the characters themselves" },
  "other-shell":    { deny: true,  allow: true,  bare: true,  construct: "another shell",                    why: "the text will not be run by bash, whose grammar is the one known",       advice: "allow the exact command" },
  "dynamic-command":{ deny: true,  allow: true,  bare: false, construct: "a command word that is computed",  why: "the program is only known when the shell runs it",                       advice: "write the program's name" },
  "dynamic-code":   { deny: true,  allow: true,  bare: false, construct: "code that is computed",            why: "the script is only known when the shell runs it",                        advice: "write the code in the command" },
  "script-file":    { deny: true,  allow: false, bare: false, construct: "a script file",                    why: "the file's commands are not known",                                     advice: "allow or run its commands one by one" },
  "sourced-file":   { deny: true,  allow: true,  bare: false, construct: "a sourced file",                   why: "the file's commands are not known",                                     advice: "run its commands one by one" },
  "stdin-code":     { deny: true,  allow: true,  bare: false, construct: "code on standard input",           why: "a shell or interpreter reads its commands from a pipe or file",          advice: "write the commands in the call" },
  "inline-code":    { deny: true,  allow: false, bare: false, construct: "code for another interpreter",     why: "it may start any program",                                              advice: "put it in a reviewed script file" },
  "carrier":        { deny: true,  allow: true,  bare: false, construct: "an option that runs a program",    why: "the option makes the program start or load something else",              advice: "leave out the option or allow the exact command" },
  "writing-option": { deny: false, allow: true,  bare: false, construct: "an option that writes or deletes", why: "the option changes files",                                              advice: "leave out the option or allow the exact command" },
  "reading-script": { deny: false, allow: false, bare: false, construct: "a script that reads a file",       why: "the script names the file in its own way",                              advice: "give the file as an argument" },
  "dynamic-option": { deny: false, allow: true,  bare: false, construct: "an argument that may be an option", why: "this program has options that run programs",                           advice: "put -- before it or write it out" },
  "wrapped":        { deny: false, allow: true,  bare: false, construct: "a wrapper with unknown options",   why: "it is not certain which word is the command",                            advice: "use the wrapper's usual options" },
  "definition":     { deny: false, allow: true,  bare: false, construct: "a function or alias definition",   why: "it changes what later names mean",                                       advice: "run the commands directly" },
  "prompt-string":  { deny: true,  allow: true,  bare: false, construct: "a ${…@…} transformation",          why: "it can run commands held in a variable",                                advice: "use the plain variable" },
  "indirect":       { deny: true,  allow: true,  bare: false, construct: "an indirect ${!…} expansion",      why: "the variable and its subscript are only known at run time",              advice: "name the variable" },
  "assigning":      { deny: false, allow: true,  bare: false, construct: "an assigning ${…:=…} expansion",   why: "it changes a variable while expanding",                                  advice: "assign the variable first" },
  "arithmetic":     { deny: false, allow: true,  bare: false, construct: "arithmetic on a name",             why: "a subscript in the value would be executed",                             advice: "use numbers" },
  "arithmetic-code":{ deny: true,  allow: true,  bare: false, construct: "arithmetic on unknown text",       why: "a subscript in the text would be executed",                              advice: "use numbers" },
  "subscript-code": { deny: true,  allow: true,  bare: false, construct: "a subscript with code in plain text", why: "arithmetic, test -v, read, printf -v or declare would run it",      advice: "leave the code out of the text" },
  "steering":       { deny: true,  allow: true,  bare: false, construct: "a variable or setting that steers the shell", why: "bash runs its value, or finds other files by the same pattern",  advice: "leave it out" },
  "written-program":{ deny: true,  allow: true,  bare: false, construct: "a program written by the same call", why: "its commands are not known",                                          advice: "write the file first, and run it in another call" },
  "assignment":     { deny: false, allow: true,  bare: false, construct: "an assignment",                    why: "the variable can change what programs do",                               advice: "leave it out or allow the exact command" },
  "network-file":   { deny: false, allow: true,  bare: false, construct: "a /dev/tcp or /dev/udp file",      why: "it opens a network connection",                                         advice: "use a network tool that a rule can name" },
  "builtin-state":  { deny: false, allow: true,  bare: false, construct: "a builtin that changes the shell", why: "it changes what later names mean",                                       advice: "leave it out" },
  "coprocess":      { deny: false, allow: true,  bare: false, construct: "a coprocess",                      why: "it runs beside the rest of the script",                                 advice: "run the command directly" },
} as const satisfies Record<string, DoubtRow>;

export type DoubtKind = keyof typeof DOUBTS;
