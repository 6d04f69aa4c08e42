import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { WebSocket, WebSocketServer } from 'ws';
import { createManualClock, type ManualClock } from '../../../../src/adapters/clock/manual.js';
import { attend } from '../../../../src/node/stream/attend.js';

let server: WebSocketServer;
let clock: ManualClock;
let lost: number;
beforeEach(async () => {
  clock = createManualClock();
  lost = 0;
  server = new WebSocketServer({ host: '127.0.0.1', port: 0, autoPong: false });
  server.on('connection', (client) => {
    const ended = new AbortController();
    client.once('close', () => ended.abort());
    attend({
      client,
      receive: () => undefined,
      stalledSinceMs: () => undefined,
      lost: () => lost++,
      clock,
      signal: ended.signal,
    });
  });
  await new Promise((resolve) => server.once('listening', resolve));
});
afterEach(async () => {
  for (const client of server.clients) client.terminate();
  await new Promise((resolve) => server.close(resolve));
});

async function connect(autoPong: boolean): Promise<{ client: WebSocket; closed: Promise<number> }> {
  const { port } = server.address() as AddressInfo;
  const client = new WebSocket(`ws://127.0.0.1:${port}`, { autoPong });
  const closed = new Promise<number>((resolve) => client.once('close', resolve));
  await new Promise((resolve) => client.once('open', resolve));
  return { client, closed };
}

describe('a client', () => {
  it('that answers no pings and sends nothing is disconnected after a minute', async () => {
    const { closed } = await connect(false);
    await clock.advance(59_999);
    expect(lost).toBe(0);
    await clock.advance(1);
    expect(lost).toBe(1);
    expect(await closed).toBe(1006);
  });

  it('that answers pings may be silent without limit', async () => {
    const { client } = await connect(true);
    const [other] = server.clients;
    for (let round = 0; round < 5; round++) {
      const heard = new Promise((resolve) => other?.once('pong', resolve));
      await clock.advance(30_000);
      await heard;
    }
    expect([lost, client.readyState]).toEqual([0, WebSocket.OPEN]);
  });

  it('that pings gets an answer', async () => {
    const { client } = await connect(true);
    const answer = new Promise<string>((resolve) => client.once('pong', (data) => resolve(data.toString())));
    client.ping('are you there?');
    expect(await answer).toBe('are you there?');
  });
});
