import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { hasNoBrowser } from './fixtures/chromium.js';
import { type ExplorerScene, startScene, untilLive } from './fixtures/explorer.js';

let scene: ExplorerScene;
let foreign: Server;

beforeAll(async () => {
  if (hasNoBrowser) return;
  scene = await startScene();
  foreign = createServer((_, response) => response.setHeader('content-type', 'text/html').end('<h1>foreign</h1>'));
  await once(foreign.listen(0, '127.0.0.1'), 'listening');
});
afterEach(() => {
  // The browser itself notes each answer that is an error, and each attempt to connect while there is nobody.
  const isNoted = (fault: string) => /ERR_|WebSocket|status of [45]\d\d|CORS|frame-ancestors/.test(fault);
  if (!hasNoBrowser) expect(scene.browser.faults().filter((fault) => !isNoted(fault))).toEqual([]);
});
afterAll(async () => {
  if (hasNoBrowser) return;
  foreign.close();
  await scene.remove();
});

describe.skipIf(hasNoBrowser)('when something fails, the explorer', () => {
  it('shows a banner while its node is away, keeps what it has, and recovers', async () => {
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
    await page.context().close();
  });

  it('can neither be read nor framed nor used by a page of another origin', async () => {
    const page = await scene.browser.open();
    const own = `http://127.0.0.1:${(foreign.address() as AddressInfo).port}/`;
    await page.goto(own);
    const node = scene.network.addressOf('/').slice(0, -1);
    const results = await page.evaluate<readonly string[]>(`(async () => {
      const attempt = (what) => what.then((value) => String(value), (error) => error.name);
      const json = { 'content-type': 'application/json' };
      const post = { method: 'POST', headers: json, body: '{"data":[{"value":"forged"}]}' };
      const plain = { method: 'POST', mode: 'no-cors', headers: { 'content-type': 'text/plain' }, body: post.body };
      const broadcast = '${node}/api/v1/namespaces/default/broadcast/message';
      const socket = new Promise((resolve) => {
        const opened = new WebSocket('${node.replace('http', 'ws')}/ws?namespace=default&ephemeral');
        opened.onopen = () => resolve('open');
        opened.onerror = () => resolve('refused');
      });
      const frame = document.createElement('iframe');
      frame.src = '${node}/ui';
      document.body.append(frame);
      await new Promise((resolve) => { frame.onload = resolve; });
      let framed = 'blocked';
      try { if (frame.contentDocument !== null) framed = frame.contentDocument.title; } catch {}
      return [
        await attempt(fetch('${node}/ui/_config').then((response) => response.status)),
        await attempt(fetch('${node}/ui/_stack/services').then((response) => response.status)),
        await attempt(fetch(broadcast, post).then((response) => response.status)),
        await attempt(fetch(broadcast, plain).then((response) => response.type)),
        await socket,
        framed,
      ];
    })()`);
    expect(results).toEqual(['TypeError', 'TypeError', 'TypeError', expect.any(String), 'refused', 'blocked']);
    const listed = await fetch(scene.network.addressOf('data?value=@forged'));
    expect(await listed.json()).toEqual([]);
    scene.browser.faults();
    await page.context().close();
  });
});
