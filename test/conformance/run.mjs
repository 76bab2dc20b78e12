#!/usr/bin/env node
// Conformance runner. Plain Node 20, no dependencies.
//   node run.mjs --cli "node path/to/bin" cases.jsonl [more.jsonl] [--only REGEX] [--jobs 2] [--json] [--no-slow] [--keep]
//   node run.mjs --module path/to/cli/main.js …          all cases in this process: quick, and what they share is shared
//   --launcher zygote|spawn                              how command hooks are started (SNAPHOOK_LAUNCHER)
// See README.md for the case format. Needs sh, bash, jq, setsid on PATH (the seeds' example scripts use bash and jq).
import { spawn } from 'node:child_process';
import { Console } from 'node:console';
import fs from 'node:fs';
import http from 'node:http';
import os from 'node:os';
import path from 'node:path';

const print = console.log.bind(console);
const argv = process.argv.slice(2);
const opt = { jobs: 2, files: [] };
for (let i = 0; i < argv.length; i++) {
  const a = argv[i];
  if (a === '--cli') opt.cli = argv[++i];
  else if (a === '--module') opt.module = argv[++i];
  else if (a === '--launcher') opt.launcher = argv[++i];
  else if (a === '--only') opt.only = new RegExp(argv[++i]);
  else if (a === '--jobs') opt.jobs = Math.max(1, Number(argv[++i]) || 1);
  else if (a === '--json') opt.json = true;
  else if (a === '--no-slow') opt.noSlow = true;
  else if (a === '--keep') opt.keep = true;
  else if (a.startsWith('--')) usage(`unknown option ${a}`);
  else opt.files.push(a);
}
function usage(why) {
  console.error(`${why}\nusage: node run.mjs (--cli "node path/to/bin" | --module path/to/cli/main.js) cases.jsonl [--launcher zygote|spawn] [--only regex] [--jobs 2] [--json] [--no-slow] [--keep]`);
  process.exit(64);
}
if (!opt.cli && !opt.module) usage('--cli or --module is missing');
if (!opt.files.length) usage('no case file');
const main = opt.module && (await import(path.resolve(opt.module))).main;
if (main) globalThis.console = new Console(process.stderr); // as the command line does: stdout is ours, what callbacks log is not
if (main) for (const event of ['unhandledRejection', 'uncaughtException']) process.on(event, () => {}); // a stray callback ends nobody
const cli = (opt.cli ?? '').split(' ').filter(Boolean).map((w, i) => (fs.existsSync(w) && (i > 0 || w.includes('/')) ? path.resolve(w) : w));

const own = (o, k) => Object.prototype.hasOwnProperty.call(o, k);
const isObj = (v) => v !== null && typeof v === 'object' && !Array.isArray(v);

// ---------- expanding a case ----------
/** {"$repeat":[text,n]} and {"$concat":[...]} stand for long strings. Own "__proto__" keys survive. */
function expand(v) {
  if (Array.isArray(v)) return v.map(expand);
  if (!isObj(v)) return v;
  const ks = Object.keys(v);
  if (ks.length === 1 && ks[0] === '$repeat') return String(v.$repeat[0]).repeat(v.$repeat[1]);
  if (ks.length === 1 && ks[0] === '$concat') return v.$concat.map(expand).join('');
  const out = {};
  for (const k of ks) Object.defineProperty(out, k, { value: expand(v[k]), enumerable: true, configurable: true, writable: true });
  return out;
}
const fill = (text, vars) => text.replace(/@(TMP|HTTP)@/g, (_, k) => vars[k] ?? '');

// ---------- matching ----------
function leaves(v, out = []) {
  if (typeof v === 'string') out.push(v);
  else if (Array.isArray(v)) v.forEach((x) => leaves(x, out));
  else if (isObj(v)) Object.keys(v).forEach((k) => leaves(v[k], out));
  return out;
}
const textOf = (v) => (typeof v === 'string' ? v : isObj(v) ? v.text ?? v.content ?? v.message ?? v.value ?? '' : String(v));
const short = (v) => {
  const s = v === undefined ? '(missing)' : JSON.stringify(v);
  return s === undefined ? String(v) : s.length > 400 ? `${s.slice(0, 250)}…(${s.length} chars)…${s.slice(-60)}` : s;
};
const list = (x) => (Array.isArray(x) ? x : [x]);
const OPS = {
  $contains: (w, v) => typeof v === 'string' && list(w).every((s) => v.includes(s)),
  $matches: (w, v) => typeof v === 'string' && new RegExp(w, 'u').test(v),
  $absent: (w, v) => (v === undefined || v === null) === w,
  $falsy: (w, v) => !v === w,
  $length: (w, v) => (typeof v === 'string' || Array.isArray(v)) && deep(w, v.length, '', []),
  $lte: (w, v) => typeof v === 'number' && v <= w,
  $gte: (w, v) => typeof v === 'number' && v >= w,
  $in: (w, v) => w.some((x) => deep(x, v ?? null, '', [])),
  $not: (w, v) => !deep(w, v, '', []),
  $anyOf: (w, v) => w.some((x) => deep(x, v, '', [])),
  $all: (w, v) => w.every((x) => deep(x, v, '', [])),
  $some: (w, v) => Array.isArray(v) && w.every((x) => v.some((e) => deep(x, e, '', []))),
  $json: (w, v) => { let p; try { p = JSON.parse(v); } catch { return false; } return deep(w, p, '', []); },
  $jsonl: (w, v) => { try { return deep(w, v.split('\n').filter((l) => l.trim()).map((l) => JSON.parse(l)), '', []); } catch { return false; } },
  $leaf: (w, v) => list(w).every((s) => leaves(v).includes(s)),
  $mentions: (w, v) => list(w).every((s) => leaves(v).some((l) => l.includes(s))),
  $order: (w, v) => { const t = leaves(v).join('\u0000'); let at = -1; return w.every((s) => { const i = t.indexOf(s, at + 1); const ok = i > at; at = i; return ok; }); },
  $text: (w, v) => deep(w, Array.isArray(v) ? v.map(textOf).join('\n') : typeof v === 'string' ? v : undefined, '', []),
  $at: (w, v) => list(v).some((e) => {
    const ls = leaves(e); if (!ls.some((l) => l.includes(w.file))) return false;
    const nums = []; (function f(x) { if (typeof x === 'number') nums.push(x); else if (x && typeof x === 'object') Object.values(x).forEach(f); })(e);
    const fre = w.file.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&');
    return list(w.line).some((n) => nums.includes(n) || ls.some((l) => new RegExp(`${fre}\\D{1,12}${n}\\b|line\\s*${n}\\b`, 'i').test(l)));
  }),
};
function deep(want, got, where, diffs) {
  const bad = (msg) => { diffs.push(`${where || '(top)'}: ${msg}`); return false; };
  if (isObj(want)) {
    const ks = Object.keys(want);
    const ops = ks.filter((k) => own(OPS, k));
    if (ops.length && ops.length === ks.length) {
      let ok = true;
      for (const k of ops) {
        let r; try { r = OPS[k](want[k], got); } catch (e) { r = false; }
        if (!r) ok = bad(`want ${k} ${short(want[k])}\n      got  ${short(got)}`);
      }
      return ok;
    }
    if (!isObj(got)) return bad(`want ${short(want)}\n      got  ${short(got)}`);
    let ok = true;
    for (const k of ks) {
      if (k === '$anyOf') { if (!OPS.$anyOf(want[k], got)) ok = bad(`none of $anyOf ${short(want[k])} holds`); continue; }
      if (!deep(want[k], own(got, k) ? got[k] : undefined, where ? `${where}.${k}` : k, diffs)) ok = false;
    }
    return ok;
  }
  if (Array.isArray(want)) {
    if (!Array.isArray(got)) return bad(`want an array ${short(want)}\n      got  ${short(got)}`);
    let ok = true;
    if (want.length !== got.length) ok = bad(`want ${want.length} elements, got ${got.length}: ${short(got)}`);
    for (let i = 0; i < Math.min(want.length, got.length); i++) if (!deep(want[i], got[i], `${where}[${i}]`, diffs)) ok = false;
    return ok;
  }
  if (want === null && got === undefined) return true;
  return Object.is(want, got) || bad(`want ${short(want)}\n      got  ${short(got)}`);
}

// ---------- running one case ----------
const sleep = (ms) => new Promise((r) => setTimeout(r, ms));
const readIf = (f) => { try { return fs.readFileSync(f, 'utf8'); } catch { return undefined; } };
let baseline = 0;

async function server(routes) {
  const seen = []; const open = new Set();
  const srv = http.createServer((req, res) => {
    const parts = [];
    req.on('data', (d) => parts.push(d));
    req.on('end', () => {
      seen.push({ method: req.method, path: req.url, headers: req.headers, body: Buffer.concat(parts).toString('utf8') });
      const r = routes[req.url] ?? { status: 404, body: 'not found' };
      if (r.hang) return;
      if (r.drop) return void req.socket.destroy();
      setTimeout(() => { res.writeHead(r.status ?? 200, { 'content-type': 'application/json', ...r.headers }); res.end(r.body ?? ''); }, r.delayMs ?? 0);
    });
  });
  srv.on('connection', (s) => { open.add(s); s.on('close', () => open.delete(s)); });
  await new Promise((r) => srv.listen(0, '127.0.0.1', r));
  return { url: `http://127.0.0.1:${srv.address().port}`, seen, close: () => { open.forEach((s) => s.destroy()); srv.close(); } };
}

function launch(args, how) {
  const env = { ...(opt.launcher && { SNAPHOOK_LAUNCHER: opt.launcher }), ...how.env };
  return main ? launchHere(args, { ...how, env }) : launchProcess(args, { ...how, env });
}

async function launchHere(args, { cwd, env, stdin, limit }) {
  const t0 = performance.now();
  const out = []; const err = []; let last = t0; let timedOut = false;
  const ending = new AbortController();
  const timer = setTimeout(() => { timedOut = true; ending.abort(); }, limit);
  const code = await main(args, {
    env, cwd, stdin: async () => stdin, signal: ending.signal, onInterrupt: () => {}, stdinIsTerminal: false,
    stdout: (text) => { out.push(text); last = performance.now(); }, stderr: (text) => err.push(text),
    lines: async function* () {}, terminal: { isTerminal: false, columns: 80, colour: false },
  });
  clearTimeout(timer);
  if (last === t0) last = performance.now();
  return { code, signal: null, timedOut, stdout: out.join(''), stderr: err.join(''), ms: performance.now() - t0, decidedMs: last - t0 };
}

function launchProcess(args, { cwd, env, stdin, limit }) {
  return new Promise((resolve) => {
    const t0 = performance.now();
    const p = spawn(cli[0], [...cli.slice(1), ...args], { cwd, env, detached: true, stdio: ['pipe', 'pipe', 'pipe'] });
    const out = []; const err = []; let last = t0; let done = false; let timedOut = false;
    const finish = (code, signal) => {
      if (done) return; done = true; clearTimeout(timer);
      p.stdout.destroy(); p.stderr.destroy();
      resolve({ code, signal, timedOut, stdout: Buffer.concat(out).toString('utf8'), stderr: Buffer.concat(err).toString('utf8'), ms: performance.now() - t0, decidedMs: last - t0 });
    };
    const timer = setTimeout(() => { timedOut = true; try { process.kill(-p.pid, 'SIGKILL'); } catch { /* gone */ } }, limit);
    p.stdout.on('data', (d) => { out.push(d); last = performance.now(); });
    p.stderr.on('data', (d) => err.push(d));
    p.stdin.on('error', () => {});
    p.on('error', (e) => { err.push(Buffer.from(String(e))); finish(127, null); });
    // 'exit', then a short wait for the pipes: a left-over hook may hold them open.
    p.on('exit', (code, signal) => { if (last === t0) last = performance.now(); let n = 0; const w = () => ((p.stdout.readableEnded && p.stderr.readableEnded) || n++ > 25 ? finish(code, signal) : setTimeout(w, 20)); w(); });
    p.stdin.end(stdin);
  });
}

async function runCase(raw) {
  const tmp = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), 'conf-')));
  const vars = { TMP: tmp, HTTP: '' };
  let srv;
  try {
    if (raw.http) { srv = await server(raw.http); vars.HTTP = srv.url; }
    const c = expand(JSON.parse(fill(JSON.stringify(raw), { ...vars })));
    for (const d of ['.home', '.tmp']) fs.mkdirSync(path.join(tmp, d));
    for (const [rel, v] of Object.entries(c.files ?? {})) {
      const f = path.join(tmp, rel);
      fs.mkdirSync(path.dirname(f), { recursive: true });
      fs.writeFileSync(f, v && v.base64 ? Buffer.from(v.base64, 'base64') : typeof v === 'string' ? v : v.text);
      if (v && v.mode) fs.chmodSync(f, parseInt(v.mode, 8));
    }
    const args = ['fire', c.event];
    const cfg = c.config === undefined ? [] : list(c.config);
    if (cfg.some((x) => isObj(x))) for (const x of cfg) args.push('--dialect', x.dialect ?? c.dialect, '--config', x.file ?? x);
    else { if (c.dialect) args.push('--dialect', c.dialect); for (const x of cfg) args.push('--config', x); }
    if (c.callbacks) args.push('--callbacks', c.callbacks);
    args.push('--cwd', tmp, '--json');
    const env = { PATH: process.env.PATH, HOME: path.join(tmp, '.home'), TMPDIR: path.join(tmp, '.tmp'), LANG: 'C.UTF-8', ...(c.env ?? {}) };
    const stdin = c.inputRaw !== undefined ? c.inputRaw : JSON.stringify(c.input ?? {});
    const e = c.expect ?? {};
    const r = await launch(args, { cwd: tmp, env, stdin, limit: e.limit_ms ?? (c.slow ? 120000 : 40000) });
    const diffs = [];
    if (r.timedOut) diffs.push(`the command did not end within ${e.limit_ms ?? (c.slow ? 120000 : 40000)} ms`);
    const { exit, files, within_ms, decided_ms, at_least_ms, afterMs = 0, limit_ms, requests, stderr, ...decision } = e;
    if (exit !== undefined) deep(exit, r.code, 'exit', diffs);
    if (stderr !== undefined) deep(stderr, r.stderr, 'stderr', diffs);
    const ms = Math.max(0, r.ms - baseline); const dms = Math.max(0, r.decidedMs - baseline);
    if (within_ms !== undefined && ms > within_ms) diffs.push(`within_ms: want at most ${within_ms}, took ${Math.round(ms)}`);
    if (decided_ms !== undefined && dms > decided_ms) diffs.push(`decided_ms: want the decision after at most ${decided_ms}, took ${Math.round(dms)}`);
    if (at_least_ms !== undefined && r.ms < at_least_ms) diffs.push(`at_least_ms: want at least ${at_least_ms}, took ${Math.round(r.ms)}`);
    if (![1, 64, 78].includes(exit)) { // every other case needs a decision, also one that only checks for absent files
      let d; try { d = JSON.parse(r.stdout); } catch (x) { diffs.push(`stdout is not one JSON document: ${short(r.stdout)}`); }
      if (d !== undefined) deep({ event: { $matches: '.' }, hooks: { $length: { $gte: 0 } }, ...decision }, d, '', diffs);
    }
    if (requests !== undefined) deep(requests, srv ? srv.seen : [], 'requests', diffs);
    if (files) {
      const end = performance.now() + afterMs;
      const look = () => { const ds = []; for (const [rel, w] of Object.entries(files)) deep(w, readIf(path.join(tmp, rel)), `files["${rel}"]`, ds); return ds; };
      const waitsForAbsence = JSON.stringify(files).includes('"$absent":true');
      if (waitsForAbsence) await sleep(afterMs);
      let ds = look();
      while (ds.length && performance.now() < end) { await sleep(50); ds = look(); }
      diffs.push(...ds);
    }
    return { id: raw.id, ok: diffs.length === 0, diffs, ms: Math.round(r.ms), why: raw.why, src: raw.src, req: raw.req, dialect: raw.dialect, stderr: r.stderr };
  } catch (x) {
    return { id: raw.id, ok: false, diffs: [`runner: ${x.stack}`], ms: 0, why: raw.why, req: raw.req, dialect: raw.dialect, stderr: '' };
  } finally {
    srv?.close();
    if (opt.keep) console.error(`${raw.id}: ${tmp}`);
    else try { fs.rmSync(tmp, { recursive: true, force: true, maxRetries: 3 }); } catch { /* a left-over hook still writes there */ }
  }
}

// ---------- all ----------
const cases = [];
const ids = new Set();
for (const f of opt.files) {
  fs.readFileSync(f, 'utf8').split('\n').forEach((l, i) => {
    if (!l.trim()) return;
    let c; try { c = JSON.parse(l); } catch (e) { usage(`${f}:${i + 1}: not JSON: ${e.message}`); }
    if (ids.has(c.id)) usage(`${f}:${i + 1}: duplicate id ${c.id}`);
    ids.add(c.id);
    if (opt.only && !opt.only.test(`${c.id} ${c.req} ${c.dialect}`)) return;
    if (opt.noSlow && c.slow) return;
    cases.push(c);
  });
}
{ // how long the CLI takes to start: the middle of three empty fires
  const t = [];
  for (let i = 0; i < 3; i++) {
    const tmp = fs.mkdtempSync(path.join(os.tmpdir(), 'conf-'));
    fs.writeFileSync(path.join(tmp, 's.json'), '{"hooks":{}}');
    const r = await launch(['fire', 'SessionStart', '--dialect', 'lime', '--config', 's.json', '--cwd', tmp, '--json'], { cwd: tmp, env: { PATH: process.env.PATH, HOME: tmp, TMPDIR: tmp, LANG: 'C.UTF-8' }, stdin: '{}', limit: 20000 });
    t.push(r.ms); fs.rmSync(tmp, { recursive: true, force: true });
  }
  baseline = t.sort((a, b) => a - b)[1];
}
const results = [];
const report = (r) => {
  results.push(r);
  if (r.ok || opt.json) return;
  print(`FAIL ${r.id}  [${r.req}] ${r.dialect ?? 'mixed'}\n    ${r.why}  (${r.src})`);
  for (const d of r.diffs) print(`    - ${d}`);
  if (r.stderr.trim()) print(`    stderr: ${short(r.stderr.trim())}`);
};
const pool = async (queue, n) => { await Promise.all(Array.from({ length: n }, async () => { for (let c; (c = queue.shift());) report(await runCase(c)); })); };
// Slow cases only sleep: they get a pool of their own beside the others.
await Promise.all([pool(cases.filter((c) => !c.slow), opt.jobs), pool(cases.filter((c) => c.slow), 8)]);
const failed = results.filter((r) => !r.ok);
if (opt.json) for (const r of results.sort((a, b) => (a.id < b.id ? -1 : 1))) print(JSON.stringify({ id: r.id, req: r.req, dialect: r.dialect ?? null, ok: r.ok, ms: r.ms, diffs: r.diffs }));
print(`${results.length - failed.length} passed, ${failed.length} failed`);
// A pipe holds 64 KiB: end when all of it was taken.
process.stdout.write('', () => process.exit(failed.length ? 1 : 0));
