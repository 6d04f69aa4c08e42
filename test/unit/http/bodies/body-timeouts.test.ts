import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { connect, type Socket } from 'node:net';
import { afterEach, describe, expect, it, vi } from 'vitest';
import type { Middleware } from 'koa';
import { createSilentLog } from '../../../../src/adapters/log/silent.js';
import { type Listener, type ListenerLimits, openListener } from '../../../../src/http/listener.js';
import { createBodyTimeouts } from '../../../../src/http/bodies/body-timeouts.js';
import { readRaw } from '../raw-request.js';

const opened: Listener[] = [];
const senders: (() => void)[] = [];

afterEach(async () => {
  for (const stop of senders.splice(0)) stop();
  for (const listener of opened.splice(0)) await listener.close(0);
});

const readAll: Middleware = async (ctx) => {
  const chunks: Buffer[] = await ctx.req.toArray();
  ctx.body = { bytes: Buffer.concat(chunks).length };
};

async function open(limits: Partial<ListenerLimits>, middleware: Middleware = readAll): Promise<Listener> {
  const contentTypes = () => ['application/json', 'multipart/form-data'];
  const rules = { hosts: [], origins: [], contentTypes };
  const log = createSilentLog();
  const listener = await openListener({ host: '127.0.0.1', port: 0, rules, middleware: [middleware], limits, log });
  opened.push(listener);
  return listener;
}

/** Sends the head of a request with a body of a million bytes, and then a byte every `everyMs`. */
function trickle(port: number, type: string, everyMs: number, method = 'POST'): Socket {
  const socket = connect({ host: '127.0.0.1', port });
  const head = [`${method} / HTTP/1.1`, `Host: 127.0.0.1:${port}`, `Content-Type: ${type}`, 'Content-Length: 1000000'];
  socket.write([...head, '', ''].join('\r\n'));
  const timer = setInterval(() => socket.write('1'), everyMs);
  senders.push(() => {
    clearInterval(timer);
    socket.destroy();
  });
  socket.on('error', () => undefined);
  return socket;
}

const never = 600_000;

describe('a slow body', () => {
  it('is refused if it stops, and its connection is closed', async () => {
    const { port } = await open({ maxBodyIdleMs: 60, maxBodyMs: never });
    const answer = await readRaw(trickle(port, 'application/json', never));
    expect(answer.status).toBe(408);
    expect(answer.body).toMatch(/^\{"error":"FF00166: .*nothing of it came for 0.06 s/);
    expect(answer.head.toLowerCase()).toContain('connection: close');
  });

  it('is refused if it takes too long in total, however steadily it arrives', async () => {
    const { port } = await open({ maxBodyIdleMs: never, maxBodyMs: 2_000 });
    const answer = await readRaw(trickle(port, 'application/json', 20));
    expect(answer.status).toBe(408);
    expect(answer.body).toMatch(/FF00166: .*it took 2 s/);
  });

  it('is refused also as an upload if it stops', async () => {
    const { port } = await open({ maxBodyIdleMs: 60, maxBodyMs: never });
    const answer = await readRaw(trickle(port, 'multipart/form-data; boundary=b', never));
    expect(answer.status).toBe(408);
  });

  it('may take any time as an upload, while it continues', async () => {
    const { port } = await open({ maxBodyIdleMs: 400, maxBodyMs: 100 });
    const upload = trickle(port, 'multipart/form-data; boundary=b', 20);
    const sibling = await readRaw(trickle(port, 'application/json', 20));
    expect(sibling.status).toBe(408);
    const later = await readRaw(trickle(port, 'application/json', 20));
    expect(later.status).toBe(408);
    expect(upload.readyState).toBe('open');
    expect(upload.bytesRead).toBe(0);
  });

  it('does not keep its connection if it was answered before it arrived', async () => {
    const { port } = await open({ maxBodyIdleMs: 60, maxBodyMs: never }, (ctx) => {
      ctx.body = { done: true };
    });
    const answer = await readRaw(trickle(port, 'text/plain', never, 'GET'));
    expect(answer.status).toBe(200);
  });

  it('leaves connections alone whose bodies arrived in time', async () => {
    const { port } = await open({ maxBodyIdleMs: 40, maxBodyMs: 100 });
    const socket = connect({ host: '127.0.0.1', port });
    senders.push(() => socket.destroy());
    const head = [`Host: 127.0.0.1:${port}`, 'Content-Type: application/json', 'Content-Length: 2'];
    const text = ['POST / HTTP/1.1', ...head, '', '{}'].join('\r\n');
    for (const silent of ['first', 'second']) {
      socket.write(text);
      const [bytes]: Buffer[] = await once(socket, 'data');
      expect(bytes?.toString()).toContain('{"bytes":2}');
      expect((await readRaw(trickle(port, 'application/json', never))).status, silent).toBe(408);
    }
    expect(socket.readyState).toBe('open');
  });
});

describe('a refusal of an incomplete body', () => {
  it('closes its connection', async () => {
    const { port } = await open({ maxBodyIdleMs: never, maxBodyMs: never }, readAll);
    const answer = await readRaw(trickle(port, 'text/plain', 100));
    expect(answer.status).toBe(415);
    expect(answer.head.toLowerCase()).toContain('connection: close');
  });
});

describe('the watch over bodies', () => {
  afterEach(() => void vi.useRealTimers());

  it('wakes the process only while there is a body', () => {
    vi.useFakeTimers();
    const pace = createBodyTimeouts({ maxBodyIdleMs: never, maxBodyMs: never });
    expect(vi.getTimerCount()).toBe(0);
    const request = { headers: { 'content-length': '5' }, socket: { bytesRead: 0 }, complete: false };
    pace.watch(request as unknown as IncomingMessage);
    vi.advanceTimersByTime(10_000);
    expect(vi.getTimerCount()).toBe(1);
    request.complete = true;
    vi.advanceTimersByTime(1_000);
    expect(vi.getTimerCount()).toBe(0);
  });
});
