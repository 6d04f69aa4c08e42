import type { RawData, WebSocket } from 'ws';
import type { Clock } from '../../ports/clock.js';
import { keepAlive } from './keep-alive.js';

export interface AttendParts {
  readonly client: WebSocket;
  readonly receive: (data: RawData, isBinary: boolean) => void;
  readonly stalledSinceMs: () => number | undefined;
  /** Called when the client is considered lost. */
  readonly lost: () => void;
  readonly clock: Clock;
  /** Aborts when the socket closes. */
  readonly signal: AbortSignal;
}

/** Limit on unsent pongs, for a client that sends pings and does not read. */
const maxPongBytes = 1024 * 1024;

/**
 * Receives from an open socket, responds to its pings, and considers the client lost if it is silent or does not read.
 */
export function attend({ client, receive, stalledSinceMs, lost, clock, signal }: AttendParts): void {
  let heardMs = clock.monotonicMs();
  const hear = (): void => {
    heardMs = clock.monotonicMs();
  };
  client.on('message', (data, isBinary) => {
    hear();
    receive(data, isBinary);
  });
  client.on('pong', hear);
  client.on('ping', (data) => {
    hear();
    if (client.bufferedAmount < maxPongBytes) client.pong(data);
  });
  const ping = (): void => {
    client.ping();
  };
  const drop = (): void => {
    lost();
    client.terminate();
  };
  void keepAlive({ clock, signal, heardMs: () => heardMs, stalledSinceMs, ping, drop });
}
