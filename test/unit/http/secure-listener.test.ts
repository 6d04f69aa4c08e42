import { once } from 'node:events';
import { connect } from 'node:tls';
import { afterEach, describe, expect, it } from 'vitest';
import type { Middleware } from 'koa';
import type { TransportRequest } from '../../../src/client/transport.js';
import { textOf } from '../../../src/wire/json/json.js';
import { createSilentLog } from '../../../src/adapters/log/silent.js';
import { type Listener, openListener } from '../../../src/http/listener.js';
import { createPinnedRoute, createTrustedRoute, type SecureRoute } from '../../../src/http/secure-route.js';
import { aCertificate, anIssuedCertificate, type MadeCertificate } from '../../support/certificates.js';
import { rawRequest } from './raw-request.js';

const opened: Listener[] = [];

async function open(certificate: MadeCertificate, middleware: Middleware = answer): Promise<Listener> {
  const rules = { hosts: [], origins: [], contentTypes: () => ['text/plain', 'application/json'] };
  const options = { host: '127.0.0.1', port: 0, rules, middleware: [middleware], certificate };
  const listener = await openListener({ ...options, log: createSilentLog() });
  opened.push(listener);
  return listener;
}

async function ask({ transport }: SecureRoute, url: string, request: Partial<TransportRequest> = {}) {
  const { status, bytes } = await transport({ url, method: 'GET', headers: {}, ...request });
  return { status, text: Buffer.from(await bytes()).toString() };
}

const answer: Middleware = async (ctx) => {
  const chunks: Buffer[] = await ctx.req.toArray();
  ctx.body = { method: ctx.method, bytes: Buffer.concat(chunks).length };
};

afterEach(async () => {
  for (const listener of opened.splice(0)) await listener.close(0);
});

describe('a listener with a certificate', () => {
  it('uses HTTPS with clients that trust the certificate, with bodies of every kind', async () => {
    const own = await aCertificate();
    const { url } = await open(own);
    expect(url).toMatch(/^https:/);
    const route = createPinnedRoute(own.certificate);
    expect((await ask(route, url)).text).toBe(textOf({ method: 'GET', bytes: 0 }));
    const headers = { 'content-type': 'text/plain' };
    const text = await ask(route, url, { method: 'POST', body: 'ünï', headers });
    expect(text.text).toBe(textOf({ method: 'POST', bytes: 5 }));
    const body = new Blob(['a'.repeat(200_000)]).stream();
    const streamed = await ask(route, url, { method: 'PUT', body, headers });
    expect(streamed.text).toBe(textOf({ method: 'PUT', bytes: 200_000 }));
  });

  it('is trusted by its certificate at another name and address, and by no other certificate', async () => {
    const own = await aCertificate({ names: ['node.example.org'] });
    const { port } = await open(own);
    const url = `https://localhost:${port}`;
    expect((await ask(createPinnedRoute(own.certificate, '127.0.0.1'), url)).status).toBe(200);
    const another = await aCertificate({ names: ['localhost'] });
    await expect(ask(createPinnedRoute(another.certificate), url)).rejects.toThrow();
  });

  it('is trusted by its authority, under a name of the certificate', async () => {
    const { authority, ...issued } = await anIssuedCertificate({ names: ['localhost'] });
    const { port } = await open(issued);
    const route = createTrustedRoute(authority);
    expect((await ask(route, `https://localhost:${port}`)).status).toBe(200);
    await expect(ask(route, `https://127.0.0.1:${port}`)).rejects.toMatchObject({
      code: 'ERR_TLS_CERT_ALTNAME_INVALID',
    });
    const { certificate: stranger } = await aCertificate();
    await expect(ask(createTrustedRoute(stranger), `https://localhost:${port}`)).rejects.toThrow();
  });

  it('refuses an expired certificate, even if it is trusted', async () => {
    const own = await aCertificate({ days: -1 });
    const { url } = await open(own);
    await expect(ask(createPinnedRoute(own.certificate), url)).rejects.toMatchObject({ code: 'CERT_HAS_EXPIRED' });
  });

  it('admits the page of its own origin, and none of the same host over plain HTTP', async () => {
    const own = await aCertificate();
    const { url } = await open(own);
    const route = createPinnedRoute(own.certificate);
    expect((await ask(route, url, { headers: { origin: url } })).status).toBe(200);
    expect((await ask(route, url, { headers: { origin: url.replace('https', 'http') } })).status).toBe(403);
  });

  it('tells a client of plain HTTP to use HTTPS', async () => {
    const { port } = await open(await aCertificate());
    const said = await rawRequest(port, `GET / HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\n\r\n`);
    expect(said).toMatchObject({ status: 400, body: expect.stringContaining('https://') as string });
  });

  it('presents a renewed certificate to new connections, with TLS 1.2 at least', async () => {
    const { port, url, renew } = await open(await aCertificate());
    const renewed = await aCertificate();
    renew(renewed);
    expect((await ask(createPinnedRoute(renewed.certificate), url)).status).toBe(200);
    const old = connect({ port, ca: renewed.certificate, maxVersion: 'TLSv1.1', minVersion: 'TLSv1' });
    await expect(once(old, 'secureConnect')).rejects.toThrow();
  });

  it('answers a request that offers h2c as if it had not', async () => {
    const own = await aCertificate();
    const { port } = await open(own);
    const socket = connect({ port, ca: own.certificate, servername: 'localhost' });
    socket.write(`GET / HTTP/1.1\r\nHost: localhost:${port}\r\nConnection: Upgrade, close\r\nUpgrade: h2c\r\n\r\n`);
    const said = Buffer.concat(await socket.toArray()).toString();
    expect(said).toMatch(/^HTTP\/1.1 200 /);
  });
});
