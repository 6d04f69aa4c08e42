import { setTimeout as sleep } from 'node:timers/promises';
import type { Transport } from '../../client/transport.js';
import { connectControl, statusOf } from '../../stack/control/control.js';
import { livingState, silentHint } from '../../stack/control/living.js';
import type { Layout } from '../../stack/layout.js';
import { describeDown, type Down, type Member, NodeDownError } from '../errors/node-down.js';
import type { Output } from '../terminal/output.js';

/** A party's node in its stack, and how long it is waited for. */
export interface PartyPlace extends Member {
  readonly layout: Layout;
  /** How long a request waits for a paused node; 0 = without a limit. */
  readonly maxPauseMs: number;
  /** Whether a wait for a paused node is reported on stderr. */
  readonly isNoted: boolean;
}

/** The output for notes, and the typed name of the program. */
export interface PartyContext {
  readonly output: Output;
  readonly program: string;
}

/** Delay of the first look at a node that does not respond, and interval of further ones. */
const lookMs = 1_000;

/**
 * Creates the transport to the node of a party. If the node does not respond, its supervisor is asked why: a refused
 * connection fails with a `NodeDownError`, and so does a request that has waited too long for a paused node.
 */
export function createPartyTransport(place: PartyPlace, context: PartyContext, send: Transport): Transport {
  const look = () => lookAt(place, context.program);
  const wait = createWait(place, context, look);
  return async (request) => {
    const answered = new AbortController();
    const abandoned = new AbortController();
    const { signal: given } = request;
    const signal = given === undefined ? abandoned.signal : AbortSignal.any([given, abandoned.signal]);
    wait(request.method, answered.signal).then(
      (error) => {
        abandoned.abort(error);
      },
      // Answered; or the supervisor cannot be asked, and the request has its own end.
      () => undefined,
    );
    try {
      return await send({ ...request, signal });
    } catch (error) {
      if (signal.aborted) throw error;
      const down = await look().catch(() => undefined);
      throw down === undefined ? error : new NodeDownError(down, { code: codeOf(error), exit: 'NOT_RUNNING' });
    } finally {
      answered.abort();
    }
  };
}

interface Found extends Down {
  readonly isPaused: boolean;
}

/** Creates the wait of one request: resolves when it is to be given up, and rejects when the signal is aborted. */
function createWait(
  { maxPauseMs, isNoted }: PartyPlace,
  { output }: PartyContext,
  look: () => Promise<Found | undefined>,
): (method: string, signal: AbortSignal) => Promise<NodeDownError> {
  let isSaid = !isNoted;
  return async (method, signal) => {
    const begunMs = performance.now();
    for (;;) {
      await sleep(lookMs, undefined, { signal });
      const down = await look();
      if (down?.isPaused !== true) continue;
      signal.throwIfAborted();
      if (!isSaid) {
        isSaid = true;
        await output.note(`Waiting: ${down.text}. ${down.hint}`);
      }
      if (maxPauseMs === 0 || performance.now() - begunMs < maxPauseMs) continue;
      // A paused node has the request in its socket, and reads it when it goes on.
      const after = method === 'GET' ? '' : '; the request may still be carried out when it goes on';
      return new NodeDownError({ ...down, text: `${down.text}${after}` }, { exit: 'TIMEOUT' });
    }
  };
}

/** Why the node does not respond, as its supervisor knows; undefined for one that is healthy or not its own. */
async function lookAt(place: PartyPlace, program: string): Promise<Found | undefined> {
  const status = await statusOf(await connectControl(place.layout));
  if (status === undefined) {
    const { stack } = place;
    const state = 'does not answer';
    if ((await livingState(place)) !== undefined) {
      const text = `${place.party} of the stack ${stack} does not answer, and neither does its supervisor`;
      return { text, state, hint: silentHint(stack, program), isPaused: false };
    }
    const text = `${stack} is not running`;
    return { text, state, hint: `Start it: ${program} start ${stack}`, isPaused: false };
  }
  const view = status.services.find(({ name }) => name === place.party);
  const down = view && describeDown(place, view, program, Date.now());
  return down && { ...down, isPaused: view.state === 'paused' };
}

/** The code of the innermost error. */
function codeOf(error: unknown): string | undefined {
  let inner = error;
  while (inner instanceof Error && inner.cause instanceof Error) inner = inner.cause;
  return inner instanceof Error && 'code' in inner ? String(inner.code) : undefined;
}
