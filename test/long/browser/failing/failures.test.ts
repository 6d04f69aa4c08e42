import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hasNoBrowser } from '../fixtures/chromium.js';
import { failedAnswers, failedConnections, untilLive, useScene } from '../fixtures/explorer.js';

const scene = useScene({
  allows: new RegExp(`${failedAnswers.source}|${failedConnections.source}|CORS|frame-ancestors`),
});
let foreign: Server;

describe.skipIf(hasNoBrowser)('when something fails, the explorer', () => {
  beforeAll(async () => {
    foreign = createServer((_, response) => response.setHeader('content-type', 'text/html').end('<h1>foreign</h1>'));
    await once(foreign.listen(0, '127.0.0.1'), 'listening');
  });
  afterAll(() => {
    foreign.close();
  });

  it('shows a banner while its node is away, keeps its data, and recovers', async () => {
    const { network } = scene;
    const id = await scene.send('{"header":{"tag":"kept"},"data":[{"value":1}]}');
    await network.confirmed(id, 'alice');
    const page = await scene.open('messages');
    const rows = page.getByRole('row');
    await expect.poll(() => rows.count()).toBeGreaterThan(1);
    await network.stop('alice');
    await page.getByText('No connection to the node of alice.').waitFor();
    expect(await rows.count()).toBeGreaterThan(1);
    await network.startAgain('alice');
    await untilLive(page);
    await page.getByText('No connection to the node of alice.').waitFor({ state: 'detached' });
  });

  it('cannot be read, framed or used by a page of another origin', async () => {
    const page = await scene.browser.open();
    await page.goto(`http://127.0.0.1:${(foreign.address() as AddressInfo).port}/`);
    const node = scene.network.addressOf('/').slice(0, -1);
    const results = await page.evaluate<readonly string[]>(`(async () => {
      const attempt = (what) => what.then((value) => String(value), (error) => error.name);
      const asked = (path, init) => attempt(fetch('${node}' + path, init).then(({ status }) => status));
      const body = '{"data":[{"value":"forged"}]}';
      const post = { method: 'POST', headers: { 'content-type': 'application/json' }, body };
      const broadcast = '/api/v1/namespaces/default/broadcast/message';
      const loaded = (element, source) => attempt(new Promise((resolve, reject) => {
        element.onload = () => resolve('loaded');
        element.onerror = () => reject(new TypeError());
        element.src = '${node}' + source;
        document.body.append(element);
      }));
      const socket = new Promise((resolve) => {
        const opened = new WebSocket('${node.replace('http', 'ws')}/ws?namespace=default&ephemeral');
        opened.onopen = () => resolve('open');
        opened.onerror = () => resolve('refused');
      });
      // Any page may send a form or a request without an answer: the node must refuse them.
      const plain = { method: 'POST', mode: 'no-cors', headers: { 'content-type': 'text/plain' }, body };
      for (const path of ['/ui', '/ui/_config', '/ui/_stack/services', broadcast])
        await attempt(fetch('${node}' + path, plain));
      await loaded(document.createElement('iframe'), '/ui');
      return [
        await asked('/ui'),
        await asked('/ui/_config'),
        await asked('/ui/_stack/services'),
        await asked('/ui/_stack/services', post),
        await asked(broadcast, post),
        await loaded(document.createElement('script'), '/ui/_config'),
        await socket,
      ];
    })()`);
    expect(results).toEqual([...Array<string>(6).fill('TypeError'), 'refused']);
    expect(page.frames().map((frame) => frame.url())[1]).toMatch(/^chrome-error:/);
    const listed = await fetch(scene.network.addressOf('data?value=@forged'));
    expect(await listed.json()).toEqual([]);
    // The page makes requests to the node on purpose.
    scene.allowFaults(/^request to /);
  });
});
