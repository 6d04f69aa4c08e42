import type { StartResult } from '../../../stack/running/start.js';
import type { ServiceRow, StackStatus } from '../../../stack/status.js';
import { secondsText } from '../../terminal/progress.js';
import type { CommandContext } from '../../requests/target.js';
import { safe, spanOf } from '../../terminal/text.js';

/** The status after a start, for a person: a line for each service, the smoke test, and the total time. */
export function startedText(
  result: StartResult,
  { output, program }: Pick<CommandContext, 'output' | 'program'>,
): string {
  const { paint } = output.out;
  const width = Math.max(5, ...result.services.map(({ name }) => name.length));
  const rows = result.services.map((row) => {
    const isUp = row.state === 'healthy';
    const time = row.readyAfterMs === null ? '' : secondsText(row.readyAfterMs);
    const mark = isUp ? paint('green', '✓') : paint('yellow', '·');
    const state = row.isExternal ? `   ${stateText(row)}` : '';
    // A note is about the start of the service, so it is out of date in a running stack.
    const note = row.note === null || result.alreadyRunning ? '' : `   ${safe(row.note)}`;
    const where = `${row.url ?? row.state}${pageOf(row)}${state}${note}`;
    return `${mark} ${row.name.padEnd(width)}  ${time.padStart(6)}   ${where}`.trimEnd();
  });
  const smoke = result.smoke === null ? [] : [smokeText(result.smoke.durationMs, width, paint('green', '✓'))];
  const end = result.alreadyRunning
    ? `${result.name} is already running.`
    : result.state === 'running'
      ? `Ready in ${secondsText(result.durationMs)}.`
      : notRunningText(result, program);
  return [paint('bold', `${result.name} · ${result.runtime} runtime`), ...rows, ...smoke, end].join('\n');
}

/** The end of the text for a start that did not wait, or that started only one service. */
function notRunningText({ services, name }: StartResult, program: string): string {
  const stopped = services.filter(({ state }) => state === 'stopped' || state === 'failed');
  if (stopped.length === 0) return 'Starting; this command did not wait.';
  return `Not running: ${stopped.map((row) => row.name).join(', ')}. To start the rest: ${program} start ${name}`;
}

function smokeText(durationMs: number, width: number, mark: string): string {
  return `${mark} ${'smoke'.padEnd(width)}           a message was confirmed at every party in ${spanOf(durationMs)}`;
}

/** The path of a node's explorer. */
function pageOf(row: ServiceRow): string {
  return row.kind === 'node' && row.url !== null ? '   /ui' : '';
}

/** The state of a service as text. A node that the user runs is called external. */
export function stateText({ state, isExternal }: Pick<ServiceRow, 'state' | 'isExternal'>): string {
  if (!isExternal) return state;
  return state === 'healthy' ? 'external: healthy' : 'external: waiting';
}

/** The JSON members of `start` and `status`. */
export function statusMembers(status: StackStatus): Record<string, unknown> {
  const services = status.services.map((row) => ({
    name: row.name,
    kind: row.kind,
    state: row.state,
    health: row.health,
    pid: row.pid,
    restarts: row.restarts,
    port: row.port,
    url: row.url,
    ws: row.ws,
    ui: row.ui,
    startedAt: row.startedAt,
    readyAfterMs: row.readyAfterMs,
    note: row.note,
    message: row.message,
    final: row.isFinal,
    external: row.isExternal,
    joined: row.isJoined,
  }));
  const { name, state, runtime, contracts, failedStart, env } = status;
  return { name, state, runtime, services, contracts, failedStart, env };
}
