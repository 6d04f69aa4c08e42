import { Type } from '@sinclair/typebox';
import { assertConforms, check } from '../../wire/check.js';
import { isServiceError, ServiceError } from '../../wire/errors/error.js';
import { AckFrame, badStart, ClientFrame, frameErrors, StartFrame } from '../../wire/events/frame.js';
import { given } from '../../wire/given.js';
import { decode } from '../../wire/json/json.js';
import { read } from '../../wire/json/json-reader.js';
import type { NamespaceResolver } from '../requests/access.js';
import type { Inbound } from './inbox.js';
import { readStart, type Start } from './start.js';
import type { Started } from './started.js';

export interface FrameParts {
  readonly started: Started;
  readonly resolveNamespace: NamespaceResolver;
  /** The only namespace of this socket, if its path names one. */
  readonly scope: string | undefined;
  /** As given by the handshake; undefined = not given. */
  readonly isAutoack: boolean | undefined;
}

/** Handles the frames of one socket. */
export interface Frames {
  /** Starts the subscription of the handshake's query. @throws ServiceError streams_full, not_found */
  begin(start: Start): Promise<void>;
  /** Handles a message. A returned text is the error to close the socket with (docs/api.md §15.4). */
  receive(message: Inbound): string | undefined | Promise<string | undefined>;
}

type Action = (frame: object) => string | undefined | Promise<string | undefined>;

const Typed = Type.Object({ type: Type.Optional(Type.Unknown()) });

/** Creates the handler of the frames of docs/api.md §15.2. */
export function createFrames({ started, resolveNamespace, scope, isAutoack: ofQuery }: FrameParts): Frames {
  /** One value for all subscriptions of the socket; it may change until the first has begun. */
  let isAutoack = ofQuery ?? false;

  async function start(received: object): Promise<string | undefined> {
    try {
      const frame = given(received, StartFrame);
      assertConforms(StartFrame, frame, 'the frame');
      const wantsAutoack = frame.autoack ?? isAutoack;
      if (wantsAutoack !== isAutoack && started.count > 0) return frameErrors.autoack_differs;
      const namespace = namespaceOf(frame);
      const { name, ephemeral, filter, options } = frame;
      const wanted = readStart({ namespace, name, isEphemeral: ephemeral ?? false, filter, options });
      isAutoack = wantsAutoack;
      await started.begin(wanted, { isAutoack, mayWait: true });
      return undefined;
    } catch (error) {
      if (!isServiceError(error)) throw error;
      return isServiceError(error, 'wrong_namespace') ? error.message : badStart(error.message);
    }
  }

  /** @throws ServiceError field_required, wrong_namespace, unknown_namespace, forbidden */
  function namespaceOf({ namespace }: StartFrame): string {
    if (scope !== undefined) return inScope(namespace, scope);
    if (typeof namespace === 'string') return resolveNamespace(namespace);
    throw new ServiceError('field_required', { field: 'namespace', hint: '' });
  }

  function acknowledge(frame: object): string | undefined {
    // The SDK acknowledges every message (docs/api.md §15.2).
    if (isAutoack) return undefined;
    if (!check(AckFrame, frame)) return frameErrors.ack_matches_nothing;
    const subscription = started.find(frame.subscription ?? undefined);
    if (subscription === undefined) return frameErrors.ack_ambiguous;
    const isKnown = subscription.attachment.acknowledge(frame.id?.toLowerCase());
    return isKnown ? undefined : frameErrors.ack_matches_nothing;
  }

  const actions: Readonly<Record<string, Action>> = { start, ack: acknowledge };

  return {
    begin: (wanted) => started.begin(wanted, { isAutoack, mayWait: false }),
    receive({ bytes, isBinary }) {
      const frame = isBinary ? undefined : parse(bytes);
      if (frame === undefined) return frameErrors.not_json;
      const { type } = frame;
      const action = typeof type === 'string' && Object.hasOwn(actions, type) ? actions[type] : undefined;
      return action === undefined ? frameErrors.unknown_type : action(frame);
    },
  };
}

/**
 * Resolves the namespace on a path that names one; no other may be requested there.
 *
 * @throws ServiceError wrong_namespace
 */
export function inScope(name: string | undefined, scope: string): string {
  if (name === undefined || name === scope) return scope;
  throw new ServiceError('wrong_namespace', { expected: scope, actual: name });
}

/** The usual form of nearly every frame, one per event; it need not be parsed by its schema. */
const plainAck = /^\{"type":"ack","id":"([0-9a-f-]{36})"(?:,"subscription":\{"id":"([0-9a-f-]{36})"\})?\}$/;

function ackFrame([, id, subscription]: readonly string[]): { readonly type: 'ack'; readonly id: string | undefined } {
  return { type: 'ack', id, ...(subscription !== undefined && { subscription: { id: subscription } }) };
}

/** No usual acknowledgement is longer. */
const maxPlainAckBytes = 128;

/** Parses a frame; undefined if it is not a JSON object. */
function parse(bytes: Uint8Array): { readonly type?: unknown } | undefined {
  try {
    const acknowledged = bytes.length <= maxPlainAckBytes ? plainAck.exec(asciiOf(bytes)) : null;
    if (acknowledged !== null) return ackFrame(acknowledged);
    const { value } = read(decode(bytes), ClientFrame);
    return check(Typed, value) ? value : undefined;
  } catch (error) {
    if (isServiceError(error)) return undefined;
    throw error;
  }
}

/** Decodes byte by byte, which is fast; other bytes become characters that no usual acknowledgement has. */
function asciiOf(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1');
}
