import { Type } from '@sinclair/typebox';
import { assertConforms, check } from '../../wire/check.js';
import { isServiceError, ServiceError } from '../../wire/error.js';
import { AckFrame, badStart, ClientFrame, frameErrors, StartFrame } from '../../wire/frame.js';
import { decode } from '../../wire/json.js';
import { read } from '../../wire/json-reader.js';
import type { NamespaceResolver } from '../access.js';
import type { Inbound } from './inbox.js';
import { readStart, type Start } from './start.js';
import type { Started } from './started.js';

export interface FrameParts {
  readonly started: Started;
  readonly resolveNamespace: NamespaceResolver;
  /** The only namespace of this socket, if its path names one. */
  readonly scope: string | undefined;
  /** As the handshake has it; undefined = it does not say. */
  readonly isAutoack: boolean | undefined;
}

/** What the frames of one socket do. */
export interface Frames {
  /** Begins what the query of the handshake asks for. @throws ServiceError streams_full, not_found */
  begin(start: Start): Promise<void>;
  /** Does what a message says. The text, if there is one, is the error to close the socket with (S §11.4). */
  receive(message: Inbound): string | undefined | Promise<string | undefined>;
}

type Action = (frame: object) => string | undefined | Promise<string | undefined>;

const Typed = Type.Object({ type: Type.Optional(Type.Unknown()) });

/** The frames of S §11.2 and their rules. */
export function createFrames({ started, resolveNamespace, scope, isAutoack: ofQuery }: FrameParts): Frames {
  /** One value for all subscriptions of the socket, open to change until the first has begun. */
  let isAutoack = ofQuery ?? false;

  async function start(frame: object): Promise<string | undefined> {
    try {
      assertConforms(StartFrame, frame, 'the frame');
      const wantsAutoack = frame.autoack ?? isAutoack;
      if (wantsAutoack !== isAutoack && started.count > 0) return frameErrors.autoack_differs;
      const namespace = namespaceOf(frame);
      const { name, ephemeral, filter, options } = frame;
      const wanted = readStart({
        namespace,
        name: name ?? undefined,
        isEphemeral: ephemeral ?? false,
        filter,
        options,
      });
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
    if (scope !== undefined) return inScope(namespace ?? undefined, scope);
    if (typeof namespace === 'string') return resolveNamespace(namespace);
    throw new ServiceError('field_required', { field: 'namespace', hint: '' });
  }

  function acknowledge(frame: object): string | undefined {
    // The SDK acknowledges whatever it gets (S §11.2).
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
 * The namespace of a path that names one; nothing else may be asked for there.
 *
 * @throws ServiceError wrong_namespace
 */
export function inScope(name: string | undefined, scope: string): string {
  if (name === undefined || name === scope) return scope;
  throw new ServiceError('wrong_namespace', { expected: scope, actual: name });
}

/** What nearly every frame is, one for each event: it need not be read along its schema to be understood. */
const plainAck = /^\{"type":"ack","id":"([0-9a-f-]{36})"(?:,"subscription":\{"id":"([0-9a-f-]{36})"\})?\}$/;

function ackFrame([, id, subscription]: readonly string[]): { readonly type: 'ack'; readonly id: string | undefined } {
  return { type: 'ack', id, ...(subscription !== undefined && { subscription: { id: subscription } }) };
}

/** Nothing longer is one. */
const maxPlainAckBytes = 128;

/** Undefined for what is no JSON object. */
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

/** Byte by byte, which is quick: what is not ASCII becomes letters that no plain acknowledgement has. */
function asciiOf(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1');
}
