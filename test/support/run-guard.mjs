// Cleans up after a test run: ends its processes and removes its folder when standard input ends. Only the test run
// holds the other end, so this also works for a run that was killed. It closes standard output when the processes have
// ended: the run need not wait for the removal, which takes seconds with the files of a database server.
import { closeSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

const [, , folder] = process.argv;
const pollMs = 100;
/** The time that a stack has to stop on SIGTERM. */
const maxStopMs = 10_000;

// Ctrl-C reaches every process in the terminal.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => undefined);
process.stdin.resume().once('end', () => void cleanUp());

async function cleanUp() {
  const endMs = performance.now() + maxStopMs;
  end('SIGTERM');
  while (marked().length > 0 && performance.now() < endMs) await sleep(pollMs);
  end('SIGKILL');
  closeSync(1);
  rmSync(folder, { recursive: true, force: true });
}

function end(signal) {
  for (const pid of marked()) {
    try {
      process.kill(pid, signal);
    } catch {
      // It has ended meanwhile.
    }
  }
}

/** Returns the processes with temporary files in the folder; none if the system does not show environments. */
function marked() {
  return entries('/proc').filter((name) => {
    const pid = Number(name);
    return Number.isInteger(pid) && pid !== process.pid && environmentOf(pid).some(isOfRun);
  });
}

function isOfRun(variable) {
  return variable === `TMPDIR=${folder}` || variable.startsWith(`TMPDIR=${folder}/`);
}

function environmentOf(pid) {
  try {
    return readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0');
  } catch {
    return [];
  }
}

function entries(path) {
  try {
    return readdirSync(path);
  } catch {
    return [];
  }
}
