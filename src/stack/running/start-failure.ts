import { logFile } from '../../supervisor/files/logs.js';
import type { ServiceView } from '../../supervisor/control/view.js';
import { StackError } from '../error.js';
import { lastLines } from './evidence.js';
import type { Layout } from '../layout.js';
import type { LocatedStack } from '../places/locate.js';
import { portHint, portInUse } from '../ports/port-owner.js';
import type { Readiness } from './readiness.js';
import { finalHint } from '../status.js';

/** The log record of a chain that has truncated its journal. */
const cutJournal = 'Cut an unfinished entry off the journal';

type NotReady = Exclude<Readiness, { outcome: 'ready' }>;

/**
 * The error of a failed start: which service is not healthy, why, and its log records of this attempt.
 *
 * @param crash the directory with the evidence
 * @param begunAt time at which the start began
 */
export async function startFailure(
  { name, layout }: Pick<LocatedStack, 'name' | 'layout'>,
  readiness: NotReady,
  { crash, begunAt }: { readonly crash: string; readonly begunAt: string },
): Promise<StackError> {
  const view = viewOf(readiness);
  const service = view?.name ?? 'supervisor';
  const message = view?.message ?? null;
  const evidence = {
    service,
    message: message ?? 'It ended.',
    crash,
    log: logFile(layout.logs, service),
    lines: lastLines(layout, { name: service, startedAt: view?.startedAt ?? null }, begunAt),
  };
  if (readiness.outcome === 'late') {
    const missing = readiness.missing.join(', ');
    const why = message === null ? '' : ` ${service} ended last with: ${message}`;
    return new StackError('START_TIMEOUT', `The stack was not ready in time: ${missing} did not become ready.${why}`, {
      hint: `See ${crash}, or allow more time with --timeout.`,
      details: { missing: readiness.missing, ...evidence, message },
    });
  }
  const inUse = view === undefined ? undefined : await portError(view, evidence.message, name);
  if (inUse !== undefined) return inUse;
  const found = view?.kind === 'node' ? shortenedJournal(layout, begunAt) : '';
  const reason = found === '' || /[.!?]$/.test(evidence.message) ? evidence.message : `${evidence.message}.`;
  return new StackError('START_FAILED', `${service} failed to start: ${reason}${found}`, {
    hint: hintFor({ stack: name, service, message: evidence.message, isFinal: view?.isFinal === true }, crash),
    details: evidence,
  });
}

function viewOf(readiness: NotReady): ServiceView | undefined {
  if (readiness.outcome === 'failed') return readiness.view;
  return readiness.outcome === 'late' ? readiness.slowest : undefined;
}

/** The error for a port that was free when it was tested and taken when it was needed. */
async function portError(view: ServiceView, message: string, stack: string): Promise<StackError | undefined> {
  const port = usedPort(message);
  if (port === undefined) return undefined;
  return portInUse(`ports.base: ${port} (${view.name})`, { port, service: view.name }, portHint(stack));
}

/** The port that a message of a service says is in use; undefined for other messages. */
export function usedPort(message: string): number | undefined {
  const [, ours, theirs] = /Cannot listen on \S+?:(\d+).*EADDRINUSE|EADDRINUSE.*?:(\d+)\s*$/.exec(message) ?? [];
  const port = ours ?? theirs;
  return port === undefined ? undefined : Number(port);
}

/**
 * A note if the chain has truncated its journal at this start. It drops an unreadable last entry, which a killed
 * process may leave; only the nodes notice if more is missing.
 */
function shortenedJournal(layout: Layout, begunAt: string): string {
  const records = lastLines(layout, { name: 'chain', startedAt: null }, begunAt, maxChainRecords);
  if (!records.some((record) => record.includes(cutJournal))) return '';
  return ' At this start, the chain found that the end of its journal is missing.';
}

const maxChainRecords = 200;

/** Remedies by the message of the service; NAME stands for the stack. */
const remedies: readonly (readonly [message: RegExp, remedy: string])[] = [
  [/ENOSPC|EDQUOT|SQLITE_FULL|disk is (?:almost )?full/, 'Free some space on its disk, then: stack start NAME'],
  [/EACCES|EPERM|EROFS/, 'Let this user read and write that file or directory, then: stack start NAME'],
  [/in stack\.yaml/, 'Then: stack start NAME'],
  [/reset the stack/, 'To start over: stack reset NAME'],
];

interface Failed {
  readonly stack: string;
  readonly service: string;
  readonly message: string;
  readonly isFinal: boolean;
}

function hintFor({ stack, service, message, isFinal }: Failed, crash: string): string {
  const known = remedies.find(([pattern]) => pattern.test(message))?.[1];
  if (known !== undefined) return `${known.replace('NAME', stack)}. Plan, state and logs are in ${crash}.`;
  if (isFinal) return finalHint(message);
  const again = `See stack logs -s ${stack} ${service}, then stack start ${stack}: it continues where this one ended.`;
  return `${again} Plan, state and logs are in ${crash}.`;
}
