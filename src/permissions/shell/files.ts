/** Which of a program's words are files that it reads or writes. */
export interface FileRow {
  readonly access: "read" | "write";
  /** Which operands: all, all but the last (sources), the last (a target), the first. */
  readonly operands: "all" | "sources" | "last" | "first" | "none";
  /** Operands at the beginning that are no files (a pattern, a mode). */
  readonly skip?: number;
  /** Options whose presence makes the first operand a file too, as grep -e. */
  readonly unless?: string;
  /** Options that take the next word, where that matters for `skip`. */
  readonly values?: string;
  /** Options whose value is a file of this access. */
  readonly fileOptions?: string;
  /** `key=file` operands, as dd's. */
  readonly key?: string;
  /** Options with which whole trees are used. */
  readonly recursive?: string;
  /** With such an option and no operand it is the current folder. */
  readonly orHere?: true;
  /** Its operands may be something else than files, as branches. */
  readonly perhaps?: true;
  /** Always whole trees. */
  readonly tree?: true;
  /** What an allow of the program needs for the file besides. */
  readonly needs: "rule" | "inside" | "nothing";
  /** Only with one of these options. */
  readonly only?: string;
}

const READ: FileRow = { access: "read", operands: "all", needs: "nothing" };
const REMOVE: FileRow = { access: "write", operands: "all", needs: "nothing", recursive: "-r -R --recursive" };
const MODE: FileRow = { access: "write", operands: "all", skip: 1, needs: "nothing", recursive: "-R --recursive" };
const CREATE: FileRow = { access: "write", operands: "all", needs: "inside" };
const SOURCES: FileRow = { access: "read", operands: "sources", needs: "nothing", recursive: "-r -R -a --recursive --archive" };
const TARGET: FileRow = { access: "write", operands: "last", needs: "inside", fileOptions: "-t --target-directory" };
const GREP: FileRow = {
  access: "read",
  operands: "all",
  skip: 1,
  unless: "-e -f --regexp --file",
  values: "-e -f -A -B -C -m -d -D --regexp --file --max-count --context --after-context --before-context --include --exclude --exclude-dir",
  fileOptions: "-f --file",
  recursive: "-r -R --recursive --dereference-recursive",
  orHere: true,
  needs: "nothing",
};
/** Files that git names and changes; whole-tree commands such as a reset name none. */
const GIT_WRITE: FileRow = { access: "write", operands: "all", perhaps: true, needs: "nothing" };
const COMPILER: readonly FileRow[] = [READ, { access: "write", operands: "none", fileOptions: "-o", needs: "nothing" }];
const TRACER: FileRow = { access: "write", operands: "none", fileOptions: "-o --output", needs: "nothing" };
const FILTER: FileRow = {
  access: "read",
  operands: "all",
  skip: 1,
  needs: "nothing",
  values: "-e -f -F -v --expression --file --arg --argjson --indent -l",
  fileOptions: "-f --file --from-file",
};

const READERS =
  "cat head tail less more most bat batcat nl tac rev od xxd hexdump hd strings base64 base32 basenc md5sum sha1sum sha224sum sha256sum sha384sum sha512sum b2sum cksum sum wc sort uniq cut paste join comm fold fmt pr expand unexpand column file diff diff3 sdiff cmp vimdiff zcat bzcat xzcat zless gunzip bunzip2 unxz zstdcat split csplit iconv vi vim nvim view nano emacs ed ex pico code open xdg-open pandoc jless gpg openssl ssh-keygen sqlite3 python python3 node perl ruby php lua source . envsubst shuf tsort look strip readelf objdump nm size gcc g++ clang dos2unix unix2dos qpdf pdftotext xmllint plutil tidy mail mutt sendmail lp lpr enscript a2ps bat dotenv scp sftp rsync curl wget ncat nc xclip pbcopy wl-copy uuencode gzip bzip2 xz zstd lz4 brotli compress age keytool exiftool identify convert ffmpeg ffprobe mediainfo aws gsutil rclone".split(
    " ",
  );

/** Files that programs use, one or more rows a program. */
// prettier-ignore
export const FILES: ReadonlyMap<string, readonly FileRow[]> = new Map<string, readonly FileRow[]>([
  ...READERS.map((name): [string, readonly FileRow[]] => [name, [READ]]),
  ["grep", [GREP]], ["egrep", [GREP]], ["fgrep", [GREP]], ["zgrep", [GREP]], ["rgrep", [{ ...GREP, tree: true }]], ["rg", [{ ...GREP, recursive: "--hidden -u -uu -uuu --no-ignore -." }]], ["ag", [GREP]], ["ack", [GREP]],
  ["sed", [{ ...FILTER, unless: "-e -f --expression --file" }, { access: "write", operands: "all", skip: 1, unless: "-e -f --expression --file", values: "-e -f -l", only: "-i -I --in-place", needs: "rule" }]],
  ["awk", [{ ...FILTER, unless: "-f --file" }]], ["gawk", [{ ...FILTER, unless: "-f --file" }]], ["mawk", [{ ...FILTER, unless: "-f --file" }]],
  ["jq", [FILTER]], ["yq", [FILTER, { access: "write", operands: "all", skip: 1, only: "-i --inplace", needs: "rule" }]],
  ["perl", [READ, { access: "write", operands: "all", only: "-i", values: "-e -E", needs: "rule" }]],
  ["cp", [SOURCES, TARGET]], ["mv", [{ ...SOURCES, access: "write" }, SOURCES, TARGET]], ["install", [SOURCES, TARGET]], ["ln", [SOURCES, { ...TARGET, operands: "last" }]], ["rsync", [{ ...SOURCES, operands: "all" }, TARGET]], ["scp", [SOURCES, TARGET]], ["ditto", [SOURCES, TARGET]], ["link", [SOURCES, TARGET]], ["pax", [SOURCES, TARGET]],
  ["tee", [CREATE]], ["touch", [CREATE]], ["mkdir", [CREATE]], ["mkfifo", [CREATE]], ["mknod", [{ ...CREATE, operands: "first" }]], ["truncate", [{ ...CREATE, values: "-s -r --size --reference" }]], ["sponge", [CREATE]], ["mktemp", [{ ...CREATE, values: "-p --tmpdir --suffix" }]], ["fallocate", [{ ...CREATE, values: "-l -o" }]], ["csplit", [READ, { access: "write", operands: "none", fileOptions: "-f --prefix", needs: "nothing" }]], ["patch", [{ ...CREATE, operands: "first" }]], ["unzip", [READ, { access: "write", operands: "none", fileOptions: "-d", needs: "inside" }]],
  ["rm", [REMOVE]], ["rmdir", [REMOVE]], ["unlink", [REMOVE]], ["shred", [REMOVE]], ["srm", [REMOVE]], ["trash", [REMOVE]], ["rimraf", [{ ...REMOVE, tree: true }]],
  ["chmod", [MODE]], ["chown", [MODE]], ["chgrp", [MODE]], ["chattr", [MODE]], ["setfacl", [{ ...MODE, skip: 0 }]], ["xattr", [MODE]],
  ["dd", [{ access: "read", operands: "none", key: "if=", needs: "nothing" }, { access: "write", operands: "none", key: "of=", needs: "inside" }]],
  ["xargs", [{ access: "read", operands: "none", fileOptions: "-a --arg-file", needs: "nothing" }]],
  ["tar", [{ access: "read", operands: "all", tree: true, needs: "nothing", fileOptions: "-f --file -T" }, { access: "write", operands: "none", fileOptions: "-f --file", only: "-c -r -u -A --create --append --update --concatenate", needs: "inside" }, { access: "write", operands: "first", skip: 1, only: "bare c", needs: "inside" }, { access: "write", operands: "none", fileOptions: "-C --directory", only: "-x --extract --get x", needs: "inside" }]], ["zip", [{ access: "read", operands: "all", recursive: "-r -R", needs: "nothing" }, { access: "write", operands: "first", needs: "nothing" }]], ["7z", [{ access: "read", operands: "all", tree: true, needs: "nothing" }]],
  ["sort", [READ, { access: "write", operands: "none", fileOptions: "-o --output", needs: "rule" }]], ["curl", [{ access: "read", operands: "none", fileOptions: "-T --upload-file -d --data --data-binary --data-raw -F --form -K --config -b --cookie -E --cert --key --netrc-file", needs: "nothing" }, { access: "write", operands: "none", fileOptions: "-o --output -D --dump-header -c --cookie-jar --trace --trace-ascii --stderr --output-dir", needs: "rule" }]], ["wget", [{ access: "read", operands: "none", fileOptions: "--post-file --body-file -i --input-file", needs: "nothing" }, { access: "write", operands: "none", fileOptions: "-O --output-document -o --output-file -a --append-output -P --directory-prefix", needs: "rule" }]],
  ["find", [{ access: "write", operands: "none", fileOptions: "-fprint -fprint0 -fprintf -fls", needs: "rule" }]], ["shuf", [READ, { access: "write", operands: "none", fileOptions: "-o --output", needs: "rule" }]], ["openssl", [{ access: "read", operands: "none", fileOptions: "-in -inkey -key", needs: "nothing" }, { access: "write", operands: "none", fileOptions: "-out", needs: "rule" }]], ["gpg", [READ, { access: "write", operands: "none", fileOptions: "-o --output", needs: "rule" }]], ["iconv", [READ, { access: "write", operands: "none", fileOptions: "-o --output", needs: "rule" }]],
  ["ed", [READ, CREATE]], ["ex", [READ, CREATE]], ["vi", [READ, CREATE]], ["vim", [READ, CREATE]], ["nvim", [READ, CREATE]], ["nano", [READ, CREATE]], ["emacs", [READ, CREATE]], ["split", [{ ...READ, operands: "first" }, { access: "write", operands: "last", needs: "nothing" }]], ["git-apply", [READ]], ["dos2unix", [READ, CREATE]], ["unix2dos", [READ, CREATE]], ["gzip", [READ, REMOVE]], ["bzip2", [READ, REMOVE]], ["xz", [READ, REMOVE]], ["gunzip", [READ, REMOVE]], ["crontab", [READ]], ["mail", [READ]], ["bash", [READ]], ["sh", [READ]], ["zsh", [READ]], ["dash", [READ]],
  ["node", [{ ...READ, fileOptions: "--env-file --env-file-if-exists" }]], ["gcc", COMPILER], ["g++", COMPILER], ["cc", COMPILER], ["clang", COMPILER], ["strace", [TRACER]], ["ltrace", [TRACER]], ["script", [{ ...CREATE, operands: "first", values: "-c -I -O -B -T -m -E -o --command", needs: "nothing" }]], ["rename", [{ ...REMOVE, skip: 1 }]], ["cpio", [{ access: "write", operands: "last", needs: "nothing" }, { access: "write", operands: "all", only: "-p --pass-through", needs: "nothing" }]],
]);

/** The same for subcommands of git. */
// prettier-ignore
export const GIT_FILES: ReadonlyMap<string, readonly FileRow[]> = new Map<string, readonly FileRow[]>([
  ["rm", [GIT_WRITE]], ["mv", [GIT_WRITE]], ["checkout", [GIT_WRITE]], ["restore", [GIT_WRITE]], ["clone", [{ ...GIT_WRITE, operands: "last" }]],
]);

/** Programs that only name files: a denied file among their words is not read. */
export const NAMERS: ReadonlySet<string> = new Set(
  "echo printf ls dir vdir stat test [ cd pushd popd find fd locate which type command basename dirname realpath readlink export set unset local declare typeset readonly true false : pwd alias unalias du df tree exit return shift sleep date kill wait read getopts hash ulimit umask history jobs fg bg seq yes whoami id uname hostname env printenv tput clear mount umount useradd groupadd".split(
    " ",
  ),
);
