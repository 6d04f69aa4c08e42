import { setTimeout as sleep } from 'node:timers/promises';
import type { Transport } from '../../client/transport.js';
import { connectControl, statusOf } from '../../stack/control/control.js';
import { livingState, silentHint } from '../../stack/control/living.js';
import type { Layout } from '../../stack/layout.js';
import { describeDown, type Down, type Member, NodeDownError } from '../errors/node-down.js';
import type { Output } from '../terminal/output.js';

/** A party's node in its stack, with the settings of a wait for it. */
export interface PartyPlace extends Member {
  readonly layout: Layout;
  /** The longest wait of a request for a node that may still answer; 0 = no limit. */
  readonly maxPauseMs: number;
  /** Whether such a wait is reported on stderr. */
  readonly isNoted: boolean;
}

/** The output for notes, and the typed name of the program. */
export interface PartyContext {
  readonly output: Output;
  readonly program: string;
}

/** Delay of the first check of a node that does not respond, and interval of further ones. */
const checkMs = 1_000;

/**
 * Creates the transport to the node of a party. If the node does not respond, the supervisor tells why: a refused
 * connection and a too long wait for a node that is paused, or whose supervisor does not answer either, fail with a
 * `NodeDownError`.
 */
export function createPartyTransport(place: PartyPlace, context: PartyContext, send: Transport): Transport {
  const check = () => findCause(place, context.program);
  const wait = createWait(place, context, check);
  return async (request) => {
    const answered = new AbortController();
    const abandoned = new AbortController();
    const { signal: given } = request;
    const signal = given === undefined ? abandoned.signal : AbortSignal.any([given, abandoned.signal]);
    wait(request.method, answered.signal).then(
      (error) => {
        abandoned.abort(error);
      },
      // The request was answered, or the supervisor is not reachable and the request ends without it.
      () => undefined,
    );
    try {
      return await send({ ...request, signal });
    } catch (error) {
      if (signal.aborted) throw error;
      const down = await check().catch(() => undefined);
      throw down === undefined ? error : new NodeDownError(down, { code: codeOf(error), exit: 'NOT_RUNNING' });
    } finally {
      answered.abort();
    }
  };
}

interface Found extends Down {
  /** Whether the node may still answer, and is waited for. */
  readonly mayAnswer: boolean;
}

/** Creates the wait of a request. It resolves with the error of a timeout, and rejects when the signal aborts. */
function createWait(
  { maxPauseMs, isNoted }: PartyPlace,
  { output }: PartyContext,
  check: () => Promise<Found | undefined>,
): (method: string, signal: AbortSignal) => Promise<NodeDownError> {
  let hasNoted = !isNoted;
  return async (method, signal) => {
    const begunMs = performance.now();
    for (;;) {
      await sleep(checkMs, undefined, { signal });
      const down = await check();
      if (down?.mayAnswer !== true) continue;
      signal.throwIfAborted();
      if (!hasNoted) {
        hasNoted = true;
        await output.note(`Waiting: ${down.text}. ${down.hint}`);
      }
      if (maxPauseMs === 0 || performance.now() - begunMs < maxPauseMs) continue;
      // A paused node finds the request in its socket when it continues.
      const after = method === 'GET' ? '' : '; the request may still be executed when the node continues';
      return new NodeDownError({ ...down, text: `${down.text}${after}` }, { exit: 'TIMEOUT' });
    }
  };
}

/** Why the node does not respond, according to its supervisor; undefined if it is healthy or unknown. */
async function findCause(place: PartyPlace, program: string): Promise<Found | undefined> {
  const status = await statusOf(await connectControl(place.layout));
  if (status === undefined) {
    const { stack } = place;
    const state = 'does not answer';
    if ((await livingState(place)) !== undefined) {
      const text = `${place.party} of the stack ${stack} does not answer, and neither does its supervisor`;
      return { text, state, hint: silentHint(stack, program), mayAnswer: true };
    }
    const text = `${stack} is not running`;
    return { text, state, hint: `Start it: ${program} start ${stack}`, mayAnswer: false };
  }
  const view = status.services.find(({ name }) => name === place.party);
  const down = view && describeDown(place, view, program, Date.now());
  return down && { ...down, mayAnswer: view.state === 'paused' };
}

/** The code of the innermost error. */
function codeOf(error: unknown): string | undefined {
  let inner = error;
  while (inner instanceof Error && inner.cause instanceof Error) inner = inner.cause;
  return inner instanceof Error && 'code' in inner ? String(inner.code) : undefined;
}
