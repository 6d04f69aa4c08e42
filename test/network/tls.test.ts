import { buffer } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createOpenSocket } from '../../src/cli/requests/open-socket.js';
import { createClient, type Client } from '../../src/client/client.js';
import { connect } from '../../src/client/events/socket.js';
import { uploadData } from '../../src/client/upload.js';
import { createPinnedRoute, type SecureRoute } from '../../src/http/secure-route.js';
import { textOf } from '../../src/wire/json/json.js';
import { aCertificate } from '../support/certificates.js';
import { startTestNetwork, type TestNetwork } from '../support/node.js';

let network: TestNetwork;
let route: SecureRoute;
let client: Client;
beforeAll(async () => {
  const certificate = await aCertificate();
  route = createPinnedRoute(certificate.certificate);
  network = await startTestNetwork(['alice', 'bob'], { certificate });
  client = createClient({ url: network.node.url, transport: route.transport });
});
afterAll(async () => {
  route.agent.destroy();
  expect(network.nodes.flatMap(({ fatal }) => fatal)).toEqual([]);
  await network.stop();
});

describe('a network whose APIs speak HTTPS', () => {
  it('accepts messages and delivers events on a socket to clients that trust the certificate', async () => {
    const openSocket = createOpenSocket(
      () => ({}),
      () => route.agent,
    );
    const { ws } = network.node;
    expect(ws).toMatch(/^wss:/);
    const stream = connect(openSocket, `${ws}/ws?ephemeral&namespace=default&filter.events=message_confirmed`);
    expect(await stream.next()).toBe('opened');
    const { value } = await client.broadcastMessage({ body: { header: {}, data: [{ value: textOf('hello') }] } });
    expect(await stream.next()).toMatchObject({ text: expect.stringContaining(value.header.id) as string });
    await stream.close();
    const stranger = connect(
      createOpenSocket(() => ({})),
      `${ws}/ws?ephemeral&namespace=default`,
    );
    expect(await stranger.next()).toMatchObject({ end: { text: expect.stringContaining('certificate') as string } });
  });

  it('uploads and downloads files of any size, and gives its own address in its API description', async () => {
    const content = ReadableStream.from([new Uint8Array(3_000_000).fill(7)]);
    const file = { fileName: 'large.bin', mediaType: 'application/octet-stream', fields: {}, content };
    const { value } = await uploadData(client, file);
    const { body } = await client.open({ method: 'GET', path: `data/${value.id}/blob` });
    expect((await buffer(body)).length).toBe(3_000_000);
    const described = await client.exchange({ method: 'GET', path: '/api/openapi.json' });
    expect(described.text).not.toContain('http://127.0.0.1');
  });
});
