/**
 * The zygote: a small process that keeps prepared children, each of which becomes one program when it is told to.
 *
 * It is told, a line each: `open SLOT N` (make its pipes, N of them for output), `prepare SLOT OUT ERR` (descriptors of the owner, for the output of
 * the slot's next program), `shell SLOT OUT ERR` (the same, for a shell that stays), `drop SLOT`. It tells: `opened SLOT REQUEST OUTPUT...` (descriptors of its own), `ready SLOT PID`,
 * `failed SLOT` (the program could not be started), `ended SLOT STATUS` (as wait(2) gives it). Each side opens the other's
 * descriptors through /proc.
 *
 * A prepared child leads a session of its own, as Node's `detached` does, has opened its output, and waits for one request:
 * fields of counted bytes. The program gets nothing of it but what the request says: descriptors above 2 are closed at exec.
 * A slot is prepared again only when its owner has read all output: a child that waits holds the pipes open.
 *
 * A shell that stays carries out the lines that its slot is told; with `snaphook_say` in a line it tells something itself. It tells `ready SLOT PID`.
 */
export const ZYGOTE_SCRIPT = String.raw`
use strict;
my ($setsid) = @ARGV;
my $owner = '/proc/' . getppid() . '/fd/';
my $pidfd_open = 434; # the same on every architecture
open(my $report, '>&', \*STDOUT) or exit 1;
my ($told, $polled, %slots, %ends, @wanted) = ('', '');
vec($polled, 0, 1) = 1;

sub tell_owner { syswrite($report, "@_\n") }

sub lead {
  my ($out, $err) = @_;
  %slots = %ends = ();
  syscall($setsid);
  open(STDOUT, '>', $owner . $out) && open(STDERR, '>', $owner . $err) or kill 'KILL', $$;
}

sub become_shell {
  my ($slot, $request, $out, $err) = @_;
  lead($out, $err);
  open(STDIN, '<&', $request) && fileno $report == 3 && fcntl($report, 2, 0) # F_SETFD
    && exec '/bin/sh', '-c', "snaphook_say() { echo \"\$@\" >&3; }; snaphook_say ready $slot \$\$; while read -r snaphook_line; do eval \"\$snaphook_line\"; done";
  kill 'KILL', $$;
}

sub become {
  my ($slot, $request, $out, $err) = @_;
  lead($out, $err);
  tell_owner('ready', $slot, $$);
  my $text = '';
  until (length $text >= 4 && length $text >= 4 + unpack('N', $text)) {
    sysread($request, $text, 65536, length $text) or kill 'KILL', $$;
  }
  my ($in, @rest) = unpack('(N/a)*', substr($text, 4));
  if ($in eq '') { # too long for a pipe: it is in this file
    open(my $file, '<', $rest[0]);
    local $/;
    ($in, @rest) = unpack('(N/a)*', readline $file);
  }
  my ($cwd, $mask, $unset, $set, $program, @args) = @rest;
  delete @ENV{unpack('(N/a)*', $unset)};
  my %set = unpack('(N/a)*', $set);
  @ENV{keys %set} = values %set;
  umask oct $mask if $mask ne '';
  open(STDIN, '<', $in) && chdir $cwd && exec { $program } $program, @args;
  tell_owner('failed', $slot);
  kill 'KILL', $$;
}

sub prepare {
  my ($child, $slot, $out, $err) = @_;
  delete $slots{$slot}{lent};
  my $request = $slots{$slot}{request};
  my $pid = fork();
  $child->($slot, $request, $out, $err) if defined $pid && $pid == 0;
  my $end = defined $pid ? syscall($pidfd_open, $pid, 0) : -1;
  exit 1 if $end < 0; # the owner sees that we are gone, and goes on without us
  open(my $held, '<&=', $end);
  $ends{$end} = [$slot, $pid, $held];
  vec($polled, $end, 1) = 1;
}

sub open_slot {
  my ($slot, $outputs) = @_;
  pipe(my $request, my $to) or exit 1;
  my (@from, @out);
  pipe($from[$_], $out[$_]) or exit 1 for 0 .. $outputs - 1;
  $slots{$slot} = { request => $request, lent => [$to, @from] };
  tell_owner('opened', $slot, map { fileno $_ } $to, @from);
}

my %obey = (
  open => \&open_slot,
  prepare => sub { push @wanted, [\&become, @_] },
  shell => sub { push @wanted, [\&become_shell, @_] },
  drop => sub { delete $slots{$_[0]} },
);

while (1) {
  my $ready = $polled;
  select($ready, undef, undef, @wanted ? 0 : undef) < 0 and next;
  for my $end (grep { vec($ready, $_, 1) } keys %ends) {
    my ($slot, $pid) = @{ delete $ends{$end} };
    vec($polled, $end, 1) = 0;
    waitpid($pid, 0);
    tell_owner('ended', $slot, $?);
  }
  if (vec($ready, 0, 1)) {
    sysread(STDIN, $told, 65536, length $told) or last;
    $obey{$1}->(split / /, $2) while $told =~ s/^(\w+) ([\d ]+)\n//;
  }
  my $next = shift @wanted; # one at a time: an end is told before the next fork
  prepare(@$next) if $next && $slots{ $next->[1] };
}
%slots = ();
alarm 1; # prepared children end with their owner; whatever still runs is left to itself
1 while wait() > 0;
`;
