import { request as httpRequest } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { subscribe } from '../../support/consumer.js';
import { startTestNetwork, type TestNetwork, type TestNode } from '../../support/node.js';
import {
  expectRefusal,
  openStream,
  refusedStream,
  sendTagged,
  shownSubscriptions,
} from '../../support/stream-client.js';

let network: TestNetwork;
let node: TestNode;
beforeAll(async () => {
  network = await startTestNetwork(['alice'], { namespaces: ['default', 'trade'] });
  node = network.node;
  await subscribe(node.url, 'only-default');
});
afterAll(async () => {
  expect(node.fatal).toEqual([]);
  await network.stop();
});

async function websocketsOf({ url }: TestNode): Promise<unknown> {
  return (await fetch(`${url}/api/v1/websockets`)).json();
}

const scoped = '/api/v1/namespaces/trade/ws';

describe('the socket of one namespace', () => {
  it('receives events of that namespace, which need not be named', async () => {
    const onlyMessages = 'ephemeral&filter.events=message';
    const [byQuery, byFrame] = [await openStream(node, `${scoped}?${onlyMessages}`), await openStream(node, scoped)];
    byFrame.send({ type: 'start', ephemeral: true, filter: { events: 'message' } });
    await expect.poll(() => shownSubscriptions(node, byFrame, 'trade')).toHaveLength(1);
    await sendTagged(node, 'elsewhere');
    await sendTagged(node, 'here', 'trade');
    for (const stream of [byQuery, byFrame]) {
      expect(await stream.frame(1)).toMatchObject({ namespace: 'trade', message: { header: { tag: 'here' } } });
      await stream.close();
    }
  });

  it('refuses any other with FF10462, in the handshake and in a frame', async () => {
    const refused = await refusedStream(node, `${scoped}?namespace=default&ephemeral`);
    expect(refused).toMatchObject({ status: 400, body: expect.stringContaining('FF10462') as string });
    const stream = await openStream(node, scoped);
    stream.send({ type: 'start', namespace: 'default', ephemeral: true });
    await expectRefusal(stream, 'FF10462');
  });
});

describe('a handshake', () => {
  it.each([
    ['/ws?ephemral', 400, 'FF00142'],
    ['/ws?name=app&ephemeral', 400, 'FF10189'],
    ['/ws?name=app&readahead=5', 400, 'FF10189'],
    ['/ws?name=app&filter.events=x', 400, 'FF10189'],
    ['/ws?filter.events=x', 400, 'FF10189'],
    ['/ws?name=a%20b', 400, 'FF00140'],
    ['/ws?ephemeral&namespace=nope', 404, 'FF10436'],
    ['/ws?namespace=nope', 404, 'FF10436'],
    ['/api/v1/namespaces/nope/ws?what', 404, 'FF10436'],
    ['/ws?ephemeral&filter.evnts=x', 400, 'FF00142'],
    ['/ws?ephemeral&filter.events=(', 400, 'FF10171'],
    ['/ws?ephemeral&readahead=many', 400, 'FF00143'],
    ['/ws?ephemeral&readahead=65536', 400, 'FF10189'],
    ['/ws?ephemeral&firstEvent=sometime', 400, 'FF10191'],
    ['/ws?ephemeral&firstEvent=-2', 400, 'FF10192'],
    ['/ws?ephemeral&batch&batchtimeout=soon', 400, 'FF00137'],
    ['/ws?name=nobody', 404, 'FF10109'],
    ['/ws?namespace=trade&name=only-default&autoack', 404, 'FF10109'],
    ['/api/v1/namespaces/trade/ws?name=only-default', 404, 'FF10109'],
    ['/sw?ephemeral', 404, 'FF10109'],
    ['//?ephemeral', 404, 'FF10109'],
  ])('at %s is refused with %i %s', async (target, status, code) => {
    const refused = await refusedStream(node, target);
    expect(refused.status).toBe(status);
    expect(JSON.parse(refused.body)).toEqual({ error: expect.stringMatching(`^${code}: `) as string });
  });

  it('that is refused because a subscription is missing leaves nothing, and succeeds once it exists', async () => {
    const before = await websocketsOf(node);
    expect((await refusedStream(node, '/ws?name=soon')).body).toContain('start frame');
    expect(await websocketsOf(node)).toEqual(before);
    await subscribe(node.url, 'soon');
    const stream = await openStream(node, '/ws?name=soon&autoack');
    await sendTagged(node, 'a');
    expect(await stream.frame(1)).toMatchObject({ subscription: { name: 'soon' } });
    await stream.close();
  });

  it('with an unknown parameter is answered with the nearest known one', async () => {
    expect((await refusedStream(node, '/ws?ephemral')).body).toContain('ephemeral');
    expect((await refusedStream(node, '/ws?ephemeral&filter.mesage.tag=x')).body).toContain('filter.message.tag');
  });

  it.each([
    '/ws/?ephemeral&autoack',
    '/ws?EPHEMERAL=true&AutoAck&Filter.Events[]=message_confirmed&changeevents=x',
    '/ws?ephemeral&autoack&namespace=undefined&filter.blockchain.name=%5E%24',
    '/api/v1/namespaces/default/ws?ephemeral&autoack&firstevent=newest&readAhead=5',
    '/ws?namespace=&name=&ephemeral&autoack&readahead=&batchtimeout=&firstevent=&filter.events=&filter.message.tag=',
  ])('at %s is taken', async (target) => {
    const stream = await openStream(node, target);
    await sendTagged(node, 'a');
    await stream.frame(1);
    await stream.close();
  });

  it('that is invalid is refused with the usual body', async () => {
    const response = await new Promise<{ status: number | undefined; body: string }>((resolve, reject) => {
      const headers = { connection: 'upgrade', upgrade: 'websocket', 'sec-websocket-version': '13' };
      const request = httpRequest(`${node.url}/ws?ephemeral`, { headers });
      request.once('error', reject);
      request.once('response', (answer) => {
        let body = '';
        answer.on('data', (chunk: Buffer) => (body += chunk.toString()));
        answer.once('end', () => {
          resolve({ status: answer.statusCode, body });
        });
      });
      request.end();
    });
    expect(response.status).toBe(400);
    expect(JSON.parse(response.body)).toEqual({ error: expect.stringMatching('^PY1011: ') as string });
  });
});
