import { once } from 'node:events';
import { networkInterfaces } from 'node:os';
import { connect, type Socket } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { createSilentLog } from '../../../../src/adapters/log/silent.js';
import { createAuthentication } from '../../../../src/http/access/auth.js';
import { type Listener, type ListenerLimits, openListener } from '../../../../src/http/listener.js';
import { eventually } from '../../../support/eventually.js';
import { rawRequest, requestText } from '../raw-request.js';

const opened: Listener[] = [];
const sockets: Socket[] = [];

afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy();
  for (const listener of opened.splice(0)) await listener.close(0);
});

async function open(limits: Partial<ListenerLimits>, host = '127.0.0.1'): Promise<Listener> {
  const rules = { hosts: [], anyHost: true, origins: [], contentTypes: () => [] };
  const answer = (ctx: { body: unknown }): void => {
    ctx.body = 'here';
  };
  const listener = await openListener({
    host,
    port: 0,
    rules,
    limits,
    middleware: [answer],
    log: createSilentLog(),
    authentication: host === '127.0.0.1' ? undefined : createAuthentication([]),
  });
  opened.push(listener);
  return listener;
}

async function occupy(port: number, count: number, host = '127.0.0.1'): Promise<Socket[]> {
  const taken = Array.from({ length: count }, () => connect({ host, port }));
  sockets.push(...taken);
  await Promise.all(taken.map((socket) => once(socket, 'connect')));
  return taken;
}

function ask(port: number, host?: string) {
  return rawRequest(port, requestText('GET', '/', [`Host: ${host ?? '127.0.0.1'}:${port}`]), host);
}

describe('connections beyond the limit', () => {
  it('are answered 503 with the usual error body, until there is room again', async () => {
    const { port } = await open({ maxConnections: 3 });
    const [first] = await occupy(port, 3);
    const answer = await ask(port);
    expect(answer.status).toBe(503);
    expect(answer.body).toMatch(/^\{"error":"PY1010: All 3 connections/);
    expect(answer.head.toLowerCase()).toContain('x-content-type-options: nosniff');
    first?.destroy();
    await eventually(async () => expect((await ask(port)).status).toBe(200));
  });

  it('have no limit for each user of this machine, since all share its address', async () => {
    const { port } = await open({ maxConnectionsPerAddress: 2 });
    await occupy(port, 3);
    expect((await ask(port)).status).toBe(200);
  });

  it('have a limit for each address of another machine', async ({ skip }) => {
    const host = ownAddress();
    if (host === undefined) return skip('this machine has no address beside loopback');
    const { port } = await open({ maxConnectionsPerAddress: 2 }, host);
    await occupy(port, 2, host);
    const answer = await ask(port, host);
    expect(answer.status).toBe(503);
    expect(answer.body).toMatch(/PY1010: Your address/);
  });
});

function ownAddress(): string | undefined {
  return Object.values(networkInterfaces())
    .flatMap((addresses) => addresses ?? [])
    .find(({ family, internal }) => family === 'IPv4' && !internal)?.address;
}
