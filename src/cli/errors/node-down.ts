import type { UnreachableError } from '../../client/errors.js';
import type { ServiceRow } from '../../stack/status.js';
import type { ExitName } from './exit.js';
import { age } from '../terminal/text.js';

/** The party of a stack whose node is asked. */
export interface Member {
  readonly stack: string;
  readonly party: string;
}

/**
 * The cause of an `UnreachableError` at a node whose supervisor tells why it does not respond: it was stopped, is
 * paused, has failed or is starting.
 */
export class NodeDownError extends Error {
  readonly hint: string;
  /** The state of the node without its name, for a row about it. */
  readonly state: string;
  /** The code of the refused connection; undefined if the request was given up while the node was paused. */
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
  /** A clause with the name of the party. */
  readonly text: string;
  /** The clause without it. */
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
      return down(`is paused${span}`, `Let it go on: ${program} party resume ${party} -s ${stack}`);
    case 'failed': {
      const why = message === null ? '' : `: ${message.replace(/[.\s]+$/, '')}`;
      return down(`has failed${why}`, `${start}. Its log: ${program} logs ${party} -s ${stack}`);
    }
    default:
      return down(`is ${state}`, `Wait for it: ${program} wait ${stack}`);
  }
}

/** Why a node does not respond, for a row about it. */
export function awayText({ cause }: UnreachableError): string {
  return cause instanceof NodeDownError ? cause.state : 'does not answer';
}
