/** Options with which a program runs or loads something else, or writes: an allow of the program does not cover them. */
export interface CarrierRow {
  /** Options that run or load code; long ones also abbreviated. */
  readonly runs?: string;
  /** Options that write or delete. */
  readonly writes?: string;
  /** Options that take the next word, so that letters of values are not taken for options. */
  readonly values?: string;
  /** Options that an abbreviation must not be mistaken for. */
  readonly plain?: string;
  /** Operands that run code, as `SHELL=` of make; matched at their beginning. */
  readonly operand?: RegExp;
  /** Values, of options too, that run code wherever they hold it, as `\\!` of database clients. */
  readonly code?: RegExp;
  /** The first word may be options without a dash, as `xzf` of tar, each letter of them. */
  readonly bare?: true;
  /** A script in the arguments with a scanner of its own. */
  readonly script?: "sed" | "awk";
  /** Unknown words are taken for such options: the program is mostly used with plain words. */
  readonly strict?: true;
  /** Nothing it does can be covered by a pattern. */
  readonly always?: true;
}

const PAGER: CarrierRow = {
  operand: /^\+/,
  runs: "-k --lesskey-file --lesskey-src --lesskey-content -P",
  writes: "-o -O --log-file --LOG-FILE",
  values: "-b -h -j -p -t -x -y -z",
};
const EDITOR: CarrierRow = {
  runs: "-c --cmd -S -s -u -U -i --eval -eval -l --load -f --funcall --script -es -e --startuplog",
  operand: /^\+/,
  writes: "-w -W",
};
const SCRIPT_SHELL: CarrierRow = {
  runs: "--script-shell --node-options --userconfig --globalconfig --init-module --git --shell --editor --viewer --browser --call",
  plain: "--no",
};
const REMOTE: CarrierRow = { strict: true, runs: "-S -F -J -D", values: "-c -i -l -P -o -B -X", operand: /^$/ };
const AWK: CarrierRow = {
  script: "awk",
  runs: "-l --load -i --include -E --exec -D --debug",
  writes: "-o --pretty-print -d --dump-variables -p --profile",
  values: "-F -v -f -e --field-separator --assign --file --source",
};

const ALWAYS: CarrierRow = { always: true };
const MYSQL: CarrierRow = {
  runs: "--pager --tee --init-command --defaults-file --plugin-dir",
  values: "-h -u -P -D",
  code: /\\[!.PT]|(?:^|;)\s*(?:system|source|pager|tee)\b/i,
};

/** Programs that run or write through an option. */
// prettier-ignore
export const CARRIERS: ReadonlyMap<string, CarrierRow> = new Map(Object.entries({
  hash: { runs: "-p" }, enable: { runs: "-f" }, bind: { runs: "-x" }, compgen: { runs: "-C -F -W", values: "-A -G -P -S -X -o" }, complete: { runs: "-C -F -W", values: "-A -G -P -S -X -o" }, mapfile: { runs: "-C", values: "-d -n -O -s -u -c" }, readarray: { runs: "-C", values: "-d -n -O -s -u -c" }, alias: { operand: /=/ },
  bash: { runs: "--rcfile --init-file", values: "-c -o -O" }, rbash: { runs: "--rcfile --init-file", values: "-c -o -O" },
  sed: { script: "sed" }, gsed: { script: "sed" }, awk: AWK, gawk: AWK, mawk: AWK, nawk: AWK, igawk: AWK, bwk: AWK,
  find: { writes: "-delete -fprint -fprint0 -fprintf -fls" }, gfind: { writes: "-delete -fprint -fprint0 -fprintf -fls" },
  tar: { strict: true, bare: true, runs: "--to-command --checkpoint-action -I --use-compress-program --rsh-command -F --info-script --new-volume-script --rmt-command", plain: "--checkpoint", writes: "--remove-files --index-file", values: "-f -C -T -X -b -H -K -L -N -V -g" },
  bsdtar: { runs: "--use-compress-program" }, gtar: { bare: true, runs: "--to-command --checkpoint-action -I --use-compress-program --rsh-command -F --info-script --new-volume-script", plain: "--checkpoint", values: "-f -C -T -X" }, cpio: { runs: "--rsh-command --to-command", writes: "-O --file" },
  rsync: { strict: true, runs: "-e --rsh --rsync-path", writes: "--log-file --write-batch --only-write-batch --remove-source-files", values: "-f -B -T -M" },
  rg: { runs: "--pre --hostname-bin", plain: "--pre-glob --pretty", values: "-e -f -g -A -B -C -m -t -T -r -j -M -d -E" }, ag: { runs: "--pager" }, ack: { runs: "--pager --ackrc" },
  sort: { runs: "--compress-program", writes: "-o --output", values: "-k -S -t -T" }, gsort: { runs: "--compress-program", writes: "-o --output", values: "-k -S -t -T" }, split: { runs: "--filter" },
  man: { runs: "--html -H -P --pager -C --config-file --browser -B -X --gxditview", values: "-m -M -S -s -e -L -p -r" }, less: PAGER, more: PAGER, most: PAGER, zless: PAGER, bat: { runs: "--pager --config-file" }, batcat: { runs: "--pager" }, delta: { runs: "--pager" },
  zip: { strict: true, runs: "-TT --unzip-command", writes: "-m --move --out -O" },
  ssh: { strict: true, runs: "-F -S -I -E", operand: /^$/, values: "-b -B -c -D -e -i -J -l -L -m -o -O -p -P -Q -R -w -W" }, scp: REMOTE, sftp: { ...REMOTE, runs: "-S -F -b -D" }, "ssh-keygen": { runs: "-D", writes: "-f" }, "ssh-add": { runs: "-s" },
  wget: { runs: "--use-askpass -e --execute --config", writes: "-O --output-document -o --output-file -a --append-output -P --directory-prefix --save-cookies --warc-file --rejected-log --hsts-file", values: "-t -T -w -Q -U -A -R -D -I -X -l -i -B" },
  curl: { runs: "-K --config --engine --proxy-tlsauthtype --libcurl", writes: "-o --output -O --remote-name --remote-name-all -D --dump-header -c --cookie-jar --trace --trace-ascii --stderr --output-dir --etag-save --hsts --alt-svc", plain: "--proxy --out", values: "-X -H -d -F -u -A -e -b -m -x -T -w -y -Y -z -r -E -C -U -Q -P -t" },
  aria2c: { runs: "--on-download-complete --on-download-start --on-bt-download-complete --on-download-error --on-download-stop --on-download-pause --conf-path", writes: "-o --out -d --dir -l --log" }, axel: { writes: "-o --output" }, lftp: ALWAYS, nc: { runs: "-e -c --exec --sh-exec --lua-exec", values: "-p -s -w -i -q -x -X" }, ncat: { runs: "-e -c --exec --sh-exec --lua-exec", values: "-p -s -w -i" }, netcat: { runs: "-e -c", values: "-p -s -w -i" }, socat: ALWAYS,
  yq: { writes: "-i --inplace --in-place -s --split-exp" }, xmllint: { writes: "--output -o" }, xmlstarlet: { writes: "-L --inplace" }, eslint: { runs: "-c --config --plugin --resolve-plugins-relative-to --rulesdir" },
  npm: SCRIPT_SHELL, pnpm: SCRIPT_SHELL, yarn: SCRIPT_SHELL, bun: { runs: "--shell -r --preload --config -c" }, pip: { runs: "--config-settings --python --global-option --build-option", writes: "-t --target --root --prefix --log" }, pip3: { runs: "--config-settings --python --global-option --build-option", writes: "-t --target --root --prefix --log" },
  make: { operand: /^(SHELL|\.SHELLFLAGS|MAKEFLAGS|MAKE|CC|CXX|CPP|LD|AR|AS|RM|INSTALL|YACC|LEX|FC|PAGER|EDITOR|GNUMAKEFLAGS|MAKEFILES|BASH_ENV|PATH|LD_PRELOAD|LD_LIBRARY_PATH)\s*[:?+!]*=/, runs: "--eval -E -f --file --makefile", values: "-C -f -I -j -l -o -W" }, gmake: { operand: /^(SHELL|\.SHELLFLAGS|MAKEFLAGS|MAKE|CC|CXX)\s*[:?+!]*=/, runs: "--eval -E -f --file --makefile", values: "-C -f -I -j -l -o -W" }, cmake: { runs: "-E -P", operand: /^$/ }, just: { runs: "--shell --shell-arg --command -c --dotenv-path", },
  cargo: { runs: "--config", values: "-p -j -F" }, go: { runs: "-toolexec -exec -vettool --toolexec --exec", writes: "" }, gcc: { runs: "-wrapper -fplugin -B -specs" }, "g++": { runs: "-wrapper -fplugin -B -specs" }, clang: { runs: "-fplugin -B -Xclang" }, javac: { runs: "-processor -processorpath" }, java: { runs: "-javaagent -agentlib -agentpath -XX" }, mvn: { runs: "-s --settings" }, gradle: { runs: "-I --init-script -c" }, tsc: { runs: "--plugins" }, jest: { runs: "-c --config --globalSetup --runner --setupFiles --testEnvironment --transform" },
  vi: EDITOR, vim: EDITOR, nvim: EDITOR, view: EDITOR, ex: EDITOR, vimdiff: EDITOR, gvim: EDITOR, emacs: EDITOR, emacsclient: EDITOR, nano: { runs: "-s --speller" }, rvim: EDITOR, rview: EDITOR, ed: ALWAYS,
  xterm: ALWAYS, uxterm: ALWAYS, urxvt: ALWAYS, rxvt: ALWAYS, "x-terminal-emulator": ALWAYS, "gnome-terminal": ALWAYS, konsole: ALWAYS, alacritty: ALWAYS, kitty: ALWAYS, wezterm: ALWAYS, foot: ALWAYS, terminator: ALWAYS, tilix: ALWAYS, "xfce4-terminal": ALWAYS, openvt: ALWAYS, "start-stop-daemon": ALWAYS, "systemd-nspawn": ALWAYS, fc: ALWAYS, bpftrace: { runs: "-c -e -f" }, flatpak: { runs: "--command" },
  gdb: ALWAYS, lldb: ALWAYS, dc: ALWAYS, tcpdump: { runs: "-z --postrotate-command", writes: "-w", values: "-i -c -r -s" }, nmap: { runs: "--script", writes: "-oN -oX -oG -oA" }, mysql: MYSQL, mariadb: MYSQL, psql: { runs: "-f --file", writes: "-o --output -L --log-file", values: "-h -p -U -d -v", code: /\\(?:!|i|ir|o|g|w|copy|include|setenv|s)(?![a-z])|\\\||\b(?:to|from)\s+program\b/i }, sqlite3: { runs: "-cmd -init", operand: /^\.(shell|system|output|once|excel|load|save|backup|dump|import)/, code: /\b(?:load_extension|writefile|edit|fts3_tokenizer)\s*\(/i },
  fzf: { runs: "--preview --bind --execute --listen" }, gh: { runs: "", operand: /^(alias|extension|ext)$/ }, kubectl: { runs: "--kubeconfig --exec-command --credential-plugin" }, helm: { runs: "--post-renderer --kubeconfig" }, ansible: ALWAYS, docker: { runs: "-H --host --config -c --context", operand: /^$/ }, openssl: { runs: "-engine -provider -provider-path", writes: "-out -writerand" }, gpg: { writes: "-o --output", runs: "--agent-program --dirmngr-program --photo-viewer --exec-path" }, systemctl: { runs: "" }, logrotate: ALWAYS, "run-parts": ALWAYS, install: { runs: "--strip-program" }, ld: { runs: "-plugin", writes: "-o" }, iconv: { writes: "-o --output" }, shuf: { writes: "-o --output" }, strip: { writes: "-o" }, objcopy: ALWAYS, patch: { writes: "-o --output -r --reject-file" }, diff: { writes: "--output" }, date: { writes: "-s --set" }, sysctl: { writes: "-w --write" }, dmesg: { writes: "-C --clear -c" }, tree: { writes: "-o" }, ip: { runs: "-batch -b --batch" }, file: { writes: "-C --compile" }, pandoc: { runs: "-F --filter -L --lua-filter --pdf-engine", writes: "-o --output" }, pdflatex: { runs: "-shell-escape --shell-escape" }, xdotool: ALWAYS, open: ALWAYS, "xdg-open": ALWAYS, hg: { runs: "--config", operand: /^$/ }, svn: { runs: "--config-option --diff-cmd --diff3-cmd --editor-cmd --config-dir" },
} satisfies Record<string, CarrierRow>));

/** Operand that runs code with any of these programs. */
export const SSH_OPTION =
  /^(proxycommand|localcommand|permitlocalcommand|knownhostscommand|pkcs11provider|securitykeyprovider|xauthlocation|include|match|proxyuse|controlpath|identityagent|sendenv|setenv|remotecommand)/i;
