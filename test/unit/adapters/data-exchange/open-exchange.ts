import { once } from 'node:events';
import { connect as connectPlain, createServer, type Socket } from 'node:net';
import { connect, type ConnectionOptions, type TLSSocket } from 'node:tls';
import { onTestFinished } from 'vitest';
import { type HttpsExchange, openHttpsExchange } from '../../../../src/adapters/data-exchange/https.js';
import { publicKeyHashOf } from '../../../../src/adapters/data-exchange/https/identity.js';
import type { Timeouts } from '../../../../src/adapters/data-exchange/https/timeouts.js';
import { createSilentLog } from '../../../../src/adapters/log/silent.js';
import type { Log } from '../../../../src/ports/log.js';
import type { Metrics } from '../../../../src/ports/metrics.js';
import type { PeerReceiver } from '../../../../src/ports/data-exchange.js';
import { makeCertificate, type NodeCertificate } from '../../../../src/stack/keys/certificate.js';
import { aReceiver } from '../../../support/peer-receiver.js';

export const certificates: Readonly<Record<'alice' | 'bob' | 'mallory', NodeCertificate>> = {
  alice: await makeCertificate('alice'),
  bob: await makeCertificate('bob'),
  // Her own key, with another party's name.
  mallory: await makeCertificate('alice'),
};

export function hashOf(name: keyof typeof certificates): string {
  return publicKeyHashOf(certificates[name].certificate);
}

/** Opens a data exchange that admits alice and bob, and is closed after the test. */
export async function openEnd(
  name: keyof typeof certificates,
  receiver: PeerReceiver = aReceiver(),
  timeouts: Partial<Timeouts> = {},
  told: { readonly log?: Log; readonly metrics?: Metrics; readonly copy?: string } = {},
): Promise<HttpsExchange> {
  const end = await openHttpsExchange({
    ...certificates[name],
    host: '127.0.0.1',
    port: 0,
    timeouts,
    log: createSilentLog(),
    ...told,
  });
  onTestFinished(() => end.close());
  end.admit(new Set([hashOf('alice'), hashOf('bob')]));
  await end.listen(receiver);
  return end;
}

export function portOf({ own }: HttpsExchange): number {
  return Number(new URL(own.endpoint).port);
}

/** Opens a TLS client that is not a node; it records every byte until the connection ends. */
export async function openRaw(port: number, options: ConnectionOptions): Promise<RawClient> {
  const socket = connect({ host: '127.0.0.1', port, rejectUnauthorized: false, ...options });
  onTestFinished(() => void socket.destroy());
  const received: Buffer[] = [];
  socket.on('data', (chunk: Buffer) => received.push(chunk));
  const ended = new Promise<void>((resolve) => {
    socket.once('close', () => resolve()).on('error', () => undefined);
  });
  await Promise.race([once(socket, 'secureConnect').catch(() => undefined), ended]);
  return {
    socket,
    text: () => Buffer.concat(received).toString('latin1'),
    ended,
    /** Resolves when a match has arrived, or the connection has ended. */
    async until(pattern) {
      while (!pattern.test(Buffer.concat(received).toString('latin1')) && !socket.closed) {
        await Promise.race([once(socket, 'data').catch(() => undefined), ended]);
      }
    },
  };
}

export interface RawClient {
  readonly socket: TLSSocket;
  readonly text: () => string;
  readonly ended: Promise<void>;
  until(pattern: RegExp): Promise<void>;
}

/** Forwards bytes to a port and cuts each connection on request. */
export async function openCutter(target: number): Promise<{
  readonly port: number;
  /** Cuts each connection after this many bytes of its client. */
  cutAfter(bytes: number): void;
}> {
  let limitBytes = Infinity;
  const open = new Set<Socket>();
  const server = createServer((client) => {
    const there = connectPlain(target, '127.0.0.1');
    let passedBytes = 0;
    const cut = (): void => {
      client.destroy();
      there.destroy();
    };
    for (const socket of [client, there]) {
      open.add(socket);
      socket.on('error', cut).on('close', cut);
    }
    client.on('data', (chunk) => {
      passedBytes += chunk.length;
      if (passedBytes > limitBytes) cut();
      else if (!there.write(chunk)) client.pause();
    });
    there.on('drain', () => client.resume());
    there.pipe(client);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(async () => {
    for (const socket of open) socket.destroy();
    server.close();
    await once(server, 'close');
  });
  return {
    port: portIn(server.address()),
    cutAfter(bytes) {
      limitBytes = bytes;
    },
  };
}

/** Returns the port of a server. */
export function portIn(address: ReturnType<ReturnType<typeof createServer>['address']>): number {
  if (typeof address !== 'object' || address === null) throw new Error('The server does not listen');
  return address.port;
}
