/*
 * The floor for a command hook: a program as small as can be that starts another one with posix_spawn, gives it a pipe
 * for stdin, stdout and stderr, reads both to their end and collects the exit status.
 *
 *   cc -O2 -o spawn spawn.c
 *   ./spawn [--at-once N] [--times N] FILE [ARG]...       one line a run: microseconds
 *   ./spawn [--at-once N] --serve FILE [ARG]...           one run for each line on stdin, so that a bench can interleave
 *
 * With --at-once N one run starts N programs, then reads all of them; the time is that of all N together.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

extern char **environ;

enum { MOST = 256 };
static const char PAYLOAD[] = "{\"hook_event_name\":\"PreToolUse\",\"tool_name\":\"Bash\",\"tool_input\":{\"command\":\"ls\"}}";

struct running {
  pid_t pid;
  int out[2]; /* our ends of its stdout and stderr; -1 once they ended */
};

static void fail(const char *what) {
  perror(what);
  exit(1);
}

static void start(struct running *run, char **argv) {
  int in[2], out[2], err[2];
  if (pipe2(in, O_CLOEXEC) || pipe2(out, O_CLOEXEC) || pipe2(err, O_CLOEXEC)) fail("pipe2");
  posix_spawn_file_actions_t actions;
  posix_spawnattr_t attributes;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, in[0], 0);
  posix_spawn_file_actions_adddup2(&actions, out[1], 1);
  posix_spawn_file_actions_adddup2(&actions, err[1], 2);
  posix_spawnattr_init(&attributes);
  sigset_t pipe_signal;
  sigemptyset(&pipe_signal);
  sigaddset(&pipe_signal, SIGPIPE);
  posix_spawnattr_setsigdefault(&attributes, &pipe_signal);
  posix_spawnattr_setpgroup(&attributes, 0); /* a group of its own, as every hook has */
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGDEF);
  int error = posix_spawnp(&run->pid, argv[0], &actions, &attributes, argv, environ);
  if (error) {
    errno = error;
    fail(argv[0]);
  }
  posix_spawn_file_actions_destroy(&actions);
  posix_spawnattr_destroy(&attributes);
  close(in[0]);
  close(out[1]);
  close(err[1]);
  if (write(in[1], PAYLOAD, sizeof PAYLOAD - 1) < 0 && errno != EPIPE) fail("write");
  close(in[1]);
  run->out[0] = out[0];
  run->out[1] = err[0];
}

static void finish(struct running *runs, int count) {
  static char buffer[65536];
  struct pollfd polled[2 * MOST];
  for (int open = 2 * count; open > 0;) {
    for (int i = 0; i < 2 * count; i++) polled[i] = (struct pollfd){.fd = runs[i / 2].out[i % 2], .events = POLLIN};
    if (poll(polled, 2 * (nfds_t)count, -1) < 0) fail("poll");
    for (int i = 0; i < 2 * count; i++) {
      if (polled[i].fd < 0 || !polled[i].revents || read(polled[i].fd, buffer, sizeof buffer) > 0) continue;
      close(polled[i].fd);
      runs[i / 2].out[i % 2] = -1;
      open--;
    }
  }
  for (int i = 0; i < count; i++) {
    int status;
    if (waitpid(runs[i].pid, &status, 0) < 0) fail("waitpid");
  }
}

static void measure(int at_once, char **argv) {
  static struct running runs[MOST];
  struct timespec before, after;
  clock_gettime(CLOCK_MONOTONIC, &before);
  for (int i = 0; i < at_once; i++) start(&runs[i], argv);
  finish(runs, at_once);
  clock_gettime(CLOCK_MONOTONIC, &after);
  printf("%.1f\n", (after.tv_sec - before.tv_sec) * 1e6 + (after.tv_nsec - before.tv_nsec) / 1e3);
  fflush(stdout);
}

int main(int argc, char **argv) {
  int at_once = 1, times = 1, serve = 0, i = 1;
  for (; i < argc && !strncmp(argv[i], "--", 2); i++) {
    if (!strcmp(argv[i], "--serve")) serve = 1;
    else if (!strcmp(argv[i], "--at-once") && i + 1 < argc) at_once = atoi(argv[++i]);
    else if (!strcmp(argv[i], "--times") && i + 1 < argc) times = atoi(argv[++i]);
    else break;
  }
  if (i >= argc || at_once < 1 || at_once > MOST) {
    fprintf(stderr, "usage: spawn [--at-once 1..%d] [--times N | --serve] FILE [ARG]...\n", MOST);
    return 64;
  }
  signal(SIGPIPE, SIG_IGN); /* a program may end before it was given its stdin */
  char line[256];
  if (serve) while (fgets(line, sizeof line, stdin)) measure(at_once, argv + i);
  else while (times-- > 0) measure(at_once, argv + i);
  return 0;
}
