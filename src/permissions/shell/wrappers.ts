/** How a program that starts another is read: which words are its own and where the command begins. */
export interface WrapperRow {
  /** Options that take the next word. */
  readonly values?: string;
  /** Options without a value; only listed where an allow may look through the wrapper. */
  readonly flags?: string;
  /** Words of its own before the command (a duration, a file, a host). */
  readonly operands?: number;
  /** `NAME=value` words before the command are assignments. */
  readonly assigns?: true;
  /** Options whose value is shell code. */
  readonly code?: string;
  /** Words behind that code belong to it. */
  readonly joins?: true;
  /** Options with which nothing is started. */
  readonly inert?: string;
  /** An allow of the inner command is enough. */
  readonly harmless?: true;
  /** What follows is one shell text, not words. */
  readonly text?: "all" | "first";
  /** Arguments from standard input follow the command; the value of this option is replaced by them. */
  readonly appends?: "-I";
  /** Where the command's words end. */
  readonly until?: string;
  /** Started without a command it runs a shell that reads standard input. */
  readonly shellByDefault?: true;
  /** Options with which it does so. */
  readonly shellOptions?: string;
  /** Options with which the command runs in another folder, or below another root. */
  readonly moves?: string;
  /** It always does. */
  readonly elsewhere?: true;
  /** The command begins only after this word, if it is there. */
  readonly after?: string;
}

const LOADER: WrapperRow = {
  values: "--library-path --preload --audit --argv0 --inhibit-rpath --glibc-hwcaps-prepend --glibc-hwcaps-mask",
  inert: "--list --verify --help --list-tunables --list-diagnostics",
};

const ENV: WrapperRow = {
  moves: "-C --chdir",
  values: "-u --unset -C --chdir -a --argv0 --block-signal --default-signal --ignore-signal",
  joins: true,
  code: "-S --split-string",
  assigns: true,
};
const NICE: WrapperRow = { values: "-n --adjustment", harmless: true, flags: "" };
const STDBUF: WrapperRow = { values: "-i -o -e --input --output --error", flags: "", harmless: true };
const XARGS: WrapperRow = {
  values: "-d -E -I -L -n -P -s -a --delimiter --replace --max-lines --max-args --max-procs --max-chars --arg-file --eof",
  flags: "-0 -r -t -x --null --no-run-if-empty --verbose --exit",
  appends: "-I",
  harmless: true,
};
const CHROOT: WrapperRow = { elsewhere: true, operands: 1, values: "--userspec --groups", shellByDefault: true };

/** Programs that start the program named in their arguments. */
// prettier-ignore
export const WRAPPERS: ReadonlyMap<string, WrapperRow> = new Map(Object.entries({
  sudo:      { moves: "-D --chdir -R --chroot -i --login", values: "-u -g -p -C -c -D -h -R -r -T -t -U --user --group --prompt --close-from --chdir --host --chroot --role --type --command-timeout --other-user", assigns: true, flags: "-n -E -H -b -S -A -P -B -i -s --preserve-env --non-interactive --set-home --stdin --background --login --shell", shellOptions: "-i -s --login --shell", inert: "-l -v -k -K -V --list --version --validate" },
  doas:      { shellOptions: "-s", flags: "-n -s -L", values: "-u -C -a", assigns: true, inert: "-L" },
  pkexec:    { values: "--user" },
  run0:      { moves: "-D --chdir", values: "-u --user -g --group -D --chdir --unit --property --setenv" },
  gosu:      { operands: 1 }, "su-exec": { operands: 1 }, setuidgid: { operands: 1 }, "s6-setuidgid": { operands: 1 },
  env:       ENV, genv: ENV,
  command:   { flags: "-p", inert: "-v -V" },
  builtin:   {},
  exec:      { values: "-a" },
  nohup:     { harmless: true, inert: "--version --help" },
  nice:      NICE, gnice: NICE,
  ionice:    { values: "-c -n -p -P -u --class --classdata", inert: "-p -P -u --pid --pgid --uid" },
  chrt:      { values: "-T -P -D --sched-runtime --sched-period --sched-deadline", operands: 1 },
  taskset:   { operands: 1, inert: "-p --pid" },
  numactl:   { values: "-N -m -C -i -p --cpunodebind --membind --physcpubind --interleave --preferred" },
  timeout:   { values: "-s -k --signal --kill-after", flags: "-f -p -v --foreground --preserve-status --verbose", operands: 1, harmless: true },
  gnohup:    {},
  gtimeout:  { values: "-s -k --signal --kill-after", operands: 1 },
  time:      { values: "-f -o --format --output", flags: "-p -v", harmless: true },
  stdbuf:    STDBUF, gstdbuf: STDBUF,
  unbuffer:  {}, setsid: {}, fakeroot: { values: "-l -s -i -f -b --lib --faked" }, ltrace: { values: "-e -o -p -s -u -n -a -A -F -l -x" },
  strace:    { values: "-e -o -p -s -u -a -b -E -I -O -P -S -X", inert: "-p" },
  gdb:       { after: "--args", values: "-p -x -ex -c" }, valgrind: {}, perf: { operands: 1, values: "-e -o -F -p -t -C" },
  rlwrap:    { values: "-a -b -C -D -f -H -l -s -S" }, catchsegv: {}, linux32: {}, linux64: {}, setarch: { operands: 1 },
  chroot:    CHROOT, gchroot: CHROOT,
  unshare:   { moves: "-w --wd -R --root", values: "-S -G -R -w --setuid --setgid --root --wd --map-user --map-group --propagation", shellByDefault: true },
  nsenter:   { moves: "-w --wd -r --root", values: "-t -S -G --target --setuid --setgid", shellByDefault: true },
  setpriv:   { values: "--reuid --regid --groups --inh-caps --ambient-caps --bounding-set --selinux-label --apparmor-profile --pdeathsig" },
  prlimit:   { values: "-p --pid" }, bwrap: { moves: "--chdir", values: "--bind --ro-bind --dev-bind --symlink --setenv --unsetenv --chdir --proc --dev --tmpfs --dir --file --hostname --uid --gid" },
  firejail:  {}, proot: { moves: "-w -r -R -S", values: "-r -b -w -q" }, "systemd-run": { moves: "--working-directory -d --same-dir", values: "-u -p -E -M -H --unit --property --setenv --uid --gid --slice --working-directory" }, "systemd-inhibit": { values: "--what --who --why --mode" },
  cgexec:    { values: "-g" }, cpulimit: { values: "-p -e -l --limit" }, faketime: { values: "-f", operands: 1 },
  torsocks:  {}, torify: {}, proxychains: { values: "-f" }, proxychains4: { values: "-f" }, tsocks: {}, sshpass: { values: "-p -f -d -P" },
  "xvfb-run": { values: "-n -s -e -f -w -p --server-num --server-args" }, "dbus-run-session": { values: "--config-file --dbus-daemon" }, "dbus-launch": {}, "ssh-agent": { values: "-a -t" }, caffeinate: { values: "-t -w" },
  arch:      {}, xcrun: { values: "--sdk --toolchain" }, tini: { values: "-p -e" }, "dumb-init": { values: "-r" }, catatonit: {}, chpst: { values: "-u -U -b -e -n -l -L -m -o -p -c" }, setlock: { operands: 1 }, logsave: { operands: 1 }, daemonize: { values: "-a -e -o -p -l -u -c -E" },
  flock:     { values: "-w -E --wait --timeout --conflict-exit-code", code: "-c --command", operands: 1 },
  watch:     { values: "-n -q --interval --equexit", text: "all" },
  hyperfine: { values: "-w -r -m -M -p -s -i -N --warmup --runs --prepare --setup --export-json --export-markdown", text: "all" },
  entr:      { }, nodemon: { values: "-w -e -i -d --watch --ext --ignore --delay", code: "-x --exec" }, watchexec: { values: "-w -e -i -f --watch --exts --ignore --filter" }, chokidar: { code: "-c --command" }, concurrently: { text: "all" },
  busybox:   { inert: "--list --help --install" }, toybox: { inert: "--help --version" },
  xargs:     XARGS, gxargs: XARGS,
  parallel:  { moves: "--workdir --wd", values: "-j -a -S -I -N -n -L -d -C --jobs --arg-file --colsep --delay --retries --timeout --results --joblog --workdir --tmpdir --tagstring --load --memfree", appends: "-I", until: ":::", text: "all" },
  sem:       { values: "-j --id --fg", text: "all" },
  ssh:       { values: "-b -B -c -D -e -E -F -i -I -J -l -L -m -o -O -p -P -Q -R -S -w -W", operands: 1, text: "all" },
  mosh:      { values: "--ssh --server --port -p --predict", operands: 1 }, autossh: { values: "-M -b -c -D -e -E -F -i -I -J -l -L -m -o -O -p -Q -R -S -w -W", operands: 1, text: "all" }, rsh: { values: "-l", operands: 1, text: "all" },
  su:        { values: "-s -g -G -w --shell --group --supp-group --whitelist-environment", code: "-c --command --session-command", operands: 99, shellByDefault: true },
  runuser:   { values: "-u -g -G -s --user --group --shell", code: "-c --command --session-command", operands: 99, shellByDefault: true }, sg: { operands: 1, code: "-c" }, newgrp: { operands: 99, shellByDefault: true },
  script:    { values: "-I -O -B -T -m -E -o --log-in --log-out --log-io --log-timing --echo", code: "-c --command", operands: 1 },
  tmux:      { values: "-L -S -f -c -s -n -t -x -y -e -F", text: "all", operands: 1 }, screen: { values: "-S -p -c -h -s -t -T -X" }, dtach: { values: "-e -r -z", operands: 1 }, abduco: { values: "-e", operands: 1 },
  "nix-shell": { values: "-p -I -A --attr --packages", code: "--run --command", operands: 99 }, "cached-nix-shell": { code: "--run --command", operands: 99 },
  npx:       { values: "-p --package -w --workspace", code: "-c --call" }, bunx: { values: "-p --package" }, pnpx: { values: "-p --package" }, uvx: { values: "--from --with -p --python" }, pipx: { operands: 1 }, dlx: {},
  "run-one": {}, chronic: {}, ts: {}, errno: {}, ifne: {}, retry: { values: "-t -d --times --delay" }, "wait-for-it": { after: "--" }, dotenv: { values: "-f -e", after: "--" }, "dotenv-cli": { after: "--" }, "cross-env": { assigns: true }, "cross-env-shell": { assigns: true, text: "all" }, "env-cmd": { values: "-f -e" }, asdf: { operands: 2 }, direnv: { operands: 2 }, mise: { after: "--" }, "aws-vault": { after: "--" }, doppler: { after: "--" }, op: { after: "--" },
  "ld.so":   LOADER, "ld-linux.so.2": LOADER, "ld-linux-x86-64.so.2": LOADER, "ld-linux-aarch64.so.1": LOADER, "ld-musl-x86_64.so.1": LOADER, "ld-musl-aarch64.so.1": LOADER,
  eatmydata: {}, fakechroot: {}, xinit: {}, wine: {}, trickle: { values: "-u -d -w -l -t -L -P -n" }, softlimit: { values: "-a -c -d -f -l -m -o -p -r -s -t" }, rr: { operands: 1 }, kcov: { operands: 1 }, "scan-build": { values: "-o --use-cc --use-c++" }, schedtool: { after: "-e" }, bear: { after: "--" }, "gpg-agent": { after: "--daemon" }, "lxc-attach": { after: "--" },
  pssh: { values: "-h -H -l -p -o -e -t -O -x -X", text: "all" }, "parallel-ssh": { values: "-h -H -l -p -o -e -t -O -x -X", text: "all" }, pdsh: { values: "-w -x -l -g -f -t -u", text: "all" }, clush: { values: "-w -x -l -g -f -t -u", text: "all" }, dsh: { values: "-m -g -r", text: "all" },
  eval:      { text: "all" }, trap: { text: "first" },
} satisfies Record<string, WrapperRow>));

const CONTAINER_VALUES =
  "-u -w -e -v -p -h -m -a -c -l --user --workdir --env --env-file --volume --publish --name --hostname --memory --cpus --network --net --entrypoint --mount --label --platform --pull --restart --add-host --device --gpus --ip --link --log-driver --pid --shm-size --tmpfs --ulimit --userns --cap-add --cap-drop --security-opt";

/** Programs whose subcommand starts another program; the key is program and subcommand. */
// prettier-ignore
export const SUBCOMMAND_WRAPPERS: ReadonlyMap<string, WrapperRow> = new Map(Object.entries({
  "docker exec":     { values: "-u -w -e --user --workdir --env --env-file --detach-keys", operands: 1 },
  "docker run":      { values: CONTAINER_VALUES, operands: 1 },
  "podman exec":     { values: "-u -w -e --user --workdir --env --env-file --detach-keys", operands: 1 },
  "podman run":      { values: CONTAINER_VALUES, operands: 1 },
  "nerdctl exec":    { values: "-u -w -e --user --workdir --env", operands: 1 },
  "nerdctl run":     { values: CONTAINER_VALUES, operands: 1 },
  "docker-compose exec": { values: "-u -w -e --user --workdir --env --index", operands: 1 },
  "docker-compose run":  { values: "-u -w -e -v -p --user --workdir --env --name --entrypoint", operands: 1 },
  "kubectl exec":    { values: "-c -n --container --namespace", operands: 1 },
  "kubectl run":     { values: "-n --image --namespace --restart", operands: 1 },
  "oc exec":         { values: "-c -n --container --namespace", operands: 1 },
  "vagrant ssh":     { code: "-c --command", operands: 99 },
  "lxc exec":        { operands: 1 }, "incus exec": { operands: 1 }, "machinectl shell": { operands: 1 },
  "ip netns":        { operands: 2 },
  "npm exec":        { moves: "-C --dir --prefix --directory --cwd", values: "-w --package", code: "-c --call" }, "npm x": { moves: "-C --dir --prefix --directory --cwd", values: "-w --package", code: "-c --call" },
  "pnpm exec":       { moves: "-C --dir --prefix --directory --cwd" }, "pnpm dlx": { moves: "-C --dir --prefix --directory --cwd", values: "--package" }, "yarn exec": { moves: "-C --dir --prefix --directory --cwd" }, "yarn dlx": { values: "-p --package" }, "bun x": {}, "bundle exec": {}, "poetry run": {}, "pipenv run": {}, "uv run": { moves: "-C --dir --prefix --directory --cwd", values: "--with -p --python --project --group --extra" }, "uv tool": { operands: 1 }, "pdm run": {}, "rye run": {}, "hatch run": {}, "conda run": { values: "-n -p --name --prefix --cwd" }, "mamba run": { values: "-n -p --name --prefix --cwd" }, "pixi run": { values: "-e --environment" }, "devbox run": {}, "singularity exec": { operands: 1, values: "-B --bind -H --home -W --pwd --env" }, "apptainer exec": { operands: 1, values: "-B --bind -H --home -W --pwd --env" }, "toolbox run": { values: "-c --container" }, "distrobox enter": { after: "--" }, "micromamba run": { values: "-n -p" },
  "direnv exec":     { operands: 1 }, "mise exec": { after: "--" }, "mise x": { after: "--" }, "asdf exec": {}, "rbenv exec": {}, "pyenv exec": {}, "nodenv exec": {}, "volta run": { values: "--node --npm --yarn" }, "fnm exec": { values: "--using" }, "rustup run": { operands: 1 }, "cargo watch": { values: "-w -i -d", code: "-s --shell" }, "heroku run": { values: "-a --app" }, "fly ssh": { code: "-C --command", operands: 99 }, "nix develop": { after: "-c" }, "nix shell": { after: "-c" }, "nix run": { after: "--" }, "guix shell": { after: "--" }, "op run": { after: "--" }, "doppler run": { after: "--" }, "aws-vault exec": { after: "--", operands: 1 },
} satisfies Record<string, WrapperRow>));
