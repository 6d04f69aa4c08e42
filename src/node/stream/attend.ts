import type { RawData, WebSocket } from 'ws';
import type { Clock } from '../../ports/clock.js';
import { keepAlive } from './keep-alive.js';

export interface AttendParts {
  readonly client: WebSocket;
  readonly receive: (data: RawData, isBinary: boolean) => void;
  readonly stalledSinceMs: () => number | undefined;
  /** The other end is given up. */
  readonly lost: () => void;
  readonly clock: Clock;
  /** Aborts when the socket is at its end. */
  readonly signal: AbortSignal;
}

/** What answers to pings may pile up to, at a client that sends them and does not read. */
const maxPongBytes = 1024 * 1024;

/** Listens to an open socket, answers its pings, and gives it up when its other end is silent or does not read. */
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
