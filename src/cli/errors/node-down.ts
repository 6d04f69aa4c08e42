import type { UnreachableError } from '../../client/errors.js';
import type { ServiceRow } from '../../stack/status.js';
import type { ExitName } from './exit.js';
import { age } from '../terminal/text.js';

export interface Member {
  readonly stack: string;
  readonly party: string;
}

/**
 * The cause of an `UnreachableError`, if the supervisor knows why the node does not respond: it is stopped, paused or
 * starting, or has failed.
 */
export class NodeDownError extends Error {
  readonly hint: string;
  /** The state as a predicate, such as `is stopped`. */
  readonly state: string;
  /** The error code of the connection; undefined if the request was abandoned because the node is paused. */
  readonly code: string | undefined;
  readonly exit: ExitName;

  constructor({ text, state, hint }: Down, options: { readonly code?: string | undefined; readonly exit: ExitName }) {
    super(text);
    this.name = 'NodeDownError';
    this.hint = hint;
    this.state = state;
    this.code = options.code;
    this.exit = options.exit;
  }
}

/** Why a node does not respond, and the next step. */
export interface Down {
  /** A clause with the party as its subject. */
  readonly text: string;
  /** The predicate of the clause. */
  readonly state: string;
  readonly hint: string;
}

/** Describes the state of a node that does not respond; undefined if it is healthy. `program` is the typed name. */
export function describeDown(
  { stack, party }: Member,
  row: Pick<ServiceRow, 'state' | 'message'> & { readonly stateSince?: string | null },
  program: string,
  nowMs: number,
): Down | undefined {
  const { state, stateSince, message } = row;
  const span = stateSince == null ? '' : ` (for ${age(stateSince, nowMs)})`;
  const start = `Start it: ${program} party start ${party} -s ${stack}`;
  const down = (is: string, hint: string): Down => ({ text: `${party} of the stack ${stack} ${is}`, state: is, hint });
  switch (state) {
    case 'healthy':
      return undefined;
    case 'stopped':
      return down(`is stopped${span}`, start);
    case 'paused':
      return down(`is paused${span}`, `Resume it: ${program} party resume ${party} -s ${stack}`);
    case 'failed': {
      const why = message === null ? '' : `: ${message.replace(/[.\s]+$/, '')}`;
      return down(`has failed${why}`, `${start}. Log: ${program} logs ${party} -s ${stack}`);
    }
    default:
      return down(`is ${state}`, `Wait for it: ${program} wait ${stack}`);
  }
}

/** Why a node does not respond, as a predicate such as `is stopped`. */
export function awayText({ cause }: UnreachableError): string {
  return cause instanceof NodeDownError ? cause.state : 'does not answer';
}
