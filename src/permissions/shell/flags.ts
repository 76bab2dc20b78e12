/** Long and short names of one flag, by program or program and subcommand; the first name is the canonical one. */
// prettier-ignore
const SYNONYMS: Readonly<Record<string, readonly (readonly string[])[]>> = {
  rm:     [["-r", "-R", "--recursive"], ["-f", "--force"], ["-i", "--interactive"], ["-d", "--dir"], ["-v", "--verbose"]],
  cp:     [["-r", "-R", "--recursive"], ["-f", "--force"], ["-a", "--archive"]],
  mv:     [["-f", "--force"], ["-n", "--no-clobber"]],
  chmod:  [["-R", "--recursive"], ["-f", "--silent", "--quiet"]],
  chown:  [["-R", "--recursive"], ["-h", "--no-dereference"]],
  chgrp:  [["-R", "--recursive"]],
  grep:   [["-r", "-R", "--recursive", "--dereference-recursive"]],
  git:    [["-f", "--force"], ["-D", "--delete"], ["-n", "--dry-run"], ["-a", "--all"], ["-m", "--message"], ["-u", "--set-upstream"], ["-d", "--directory"]],
  curl:   [["-o", "--output"], ["-O", "--remote-name"], ["-T", "--upload-file"], ["-X", "--request"], ["-d", "--data"], ["-k", "--insecure"], ["-L", "--location"], ["-s", "--silent"]],
  wget:   [["-O", "--output-document"], ["-q", "--quiet"]],
  sed:    [["-i", "--in-place"], ["-n", "--quiet", "--silent"], ["-e", "--expression"]],
  tar:    [["-x", "--extract", "--get"], ["-c", "--create"], ["-f", "--file"], ["-t", "--list"]],
  npm:    [["-g", "--global", "--location"], ["-f", "--force"]],
  pnpm:   [["-g", "--global"]],
  yarn:   [["-g", "--global"]],
  docker: [["-f", "--force"], ["-v", "--volume", "--volumes"], ["-p", "--publish"]],
  kubectl: [["-n", "--namespace"], ["-f", "--filename"]],
  kill:   [["-9", "-KILL", "-SIGKILL"]],
  find:   [],
};

const CANONICAL: ReadonlyMap<string, ReadonlyMap<string, string>> = new Map(
  Object.entries(SYNONYMS).map(([program, groups]) => [
    program,
    new Map(groups.flatMap((group) => group.map((name): [string, string] => [name, group.join(" ")]))),
  ]),
);

/** One name for all spellings of a flag; long flags also abbreviated. */
export function canonicalFlag(program: string, flag: string): string {
  const names = CANONICAL.get(program);
  if (names === undefined) return flag;
  const known = names.get(flag);
  if (known !== undefined) return known;
  if (flag.startsWith("--") && flag.length > 3) for (const [name, canonical] of names) if (name.startsWith(flag)) return canonical;
  return flag;
}
