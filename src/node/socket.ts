import type { RawData, WebSocket } from 'ws';
import type { Attachment } from '../pipeline/deliver/delivery.js';
import type { Clock } from '../ports/clock.js';
import type { Log } from '../ports/log.js';
import type { Subscriber } from '../ports/subscriber.js';
import { check } from '../wire/check.js';
import { ServiceError } from '../wire/error.js';
import { ClientFrame, frameErrors, ProtocolError } from '../wire/frame.js';
import { decode, write } from '../wire/json.js';
import { read } from '../wire/json-reader.js';

export interface SocketParts {
  readonly client: WebSocket;
  readonly attachment: Attachment;
  readonly isAutoack: boolean;
  readonly clock: Clock;
  readonly log: Log;
}

/** Above it a consumer that does not read is waited for. */
const maxBufferedBytes = 8 * 1024 * 1024;
const maxStallMs = 60_000;
const pingEveryMs = 30_000;
const policyViolation = 1008;

/** Takes the frames of an open socket, keeps watch over its other end, and ends its subscription with it. */
export function attendSocket({ client, attachment, isAutoack, clock, log }: SocketParts): void {
  let isAlive = true;
  client.on('pong', () => {
    isAlive = true;
  });
  client.on('error', (error) => {
    log.debug('A socket broke', { subscription: attachment.subscription()?.id, error });
  });
  client.on('message', (data, isBinary) => {
    isAlive = true;
    const error = receiveFrame(data, isBinary, attachment, isAutoack);
    if (error !== undefined) refuse(client, error);
  });
  const closed = new AbortController();
  client.once('close', () => {
    closed.abort('closed');
    void attachment.close();
  });
  void keepAlive(client, clock, closed.signal, () => {
    const wasAlive = isAlive;
    isAlive = false;
    return wasAlive;
  });
}

/** A socket that is silent for two rounds has lost its other end (assurance B14). */
async function keepAlive(client: WebSocket, clock: Clock, closed: AbortSignal, takeLife: () => boolean): Promise<void> {
  while (!closed.aborted) {
    await clock.sleep(pingEveryMs, closed);
    if (closed.aborted) return;
    if (takeLife()) client.ping();
    else client.terminate();
  }
}

/** The way to a client whose handshake may still be under way; `undefined` when it never came about. */
export function createSubscriber(opened: Promise<WebSocket | undefined>, clock: Clock): Subscriber {
  return {
    async deliver({ text }) {
      const client = await opened;
      if (client === undefined) return;
      const flushed = new Promise<void>((resolve) => {
        // An error here means that the socket is gone; its "close" ends the subscription.
        client.send(text(), () => {
          resolve();
        });
      });
      if (client.bufferedAmount > maxBufferedBytes) await untilFlushed(client, flushed, clock);
    },
    end() {
      void opened.then((client) => {
        client?.close();
      });
    },
  };
}

/** A consumer that does not read for a minute is let go. */
async function untilFlushed(client: WebSocket, flushed: Promise<void>, clock: Clock): Promise<void> {
  const ended = new AbortController();
  const stalled = clock.sleep(maxStallMs, ended.signal).then(() => {
    if (!ended.signal.aborted) client.terminate();
  });
  await Promise.race([flushed, stalled]);
  ended.abort();
}

/** The error to close with, or undefined. On an autoack stream an acknowledgement is ignored (S §11.2). */
function receiveFrame(
  data: RawData,
  isBinary: boolean,
  attachment: Attachment,
  isAutoack: boolean,
): string | undefined {
  const frame = isBinary ? undefined : parseFrame(bytesOf(data));
  if (frame === undefined) return frameErrors.not_json;
  if (frame.type !== 'ack') return frameErrors.unknown_type;
  if (isAutoack) return undefined;
  const isOther = frame.subscription?.id !== undefined && frame.subscription.id !== attachment.subscription()?.id;
  return !isOther && attachment.acknowledge(frame.id) ? undefined : frameErrors.ack_matches_nothing;
}

function parseFrame(bytes: Uint8Array): ClientFrame | undefined {
  try {
    const { value } = read(decode(bytes), ClientFrame);
    return check(ClientFrame, value) ? value : undefined;
  } catch (error) {
    if (error instanceof ServiceError) return undefined;
    throw error;
  }
}

function bytesOf(data: RawData): Uint8Array {
  if (Array.isArray(data)) return Buffer.concat(data);
  return data instanceof ArrayBuffer ? new Uint8Array(data) : data;
}

function refuse(client: WebSocket, error: string): void {
  client.send(write(ProtocolError, { type: 'protocol_error', error }));
  client.close(policyViolation, error.slice(0, 120));
}
