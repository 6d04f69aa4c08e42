import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { hasNoBrowser } from './fixtures/chromium.js';
import { type ExplorerScene, startScene, untilLive } from './fixtures/explorer.js';
import { pages } from './fixtures/pages.js';

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

/** The endpoints that a page asks: their paths without ids. */
async function endpointsOf(page: Page, path: string): Promise<readonly string[]> {
  const asked = new Set<string>();
  page.on('request', (request) => {
    const { pathname } = new URL(request.url());
    if (pathname.startsWith('/api/v1/')) asked.add(pathname);
  });
  await page.goto(scene.network.addressOf(`/ui/default/${path}`));
  await untilLive(page);
  await page.waitForLoadState('networkidle');
  return [...asked];
}

describe.skipIf(hasNoBrowser)('when something fails, the explorer', () => {
  it('says so in its place, for every endpoint of every page, and the rest goes on', async () => {
    const id = await scene.send('{"header":{"tag":"fail"},"data":[{"value":1}]}');
    await scene.network.confirmed(id, 'alice');
    const silent: string[] = [];
    for (const path of [...pages, `messages/${id}`, `flow/${id}`]) {
      const watched = await scene.browser.open();
      const endpoints = await endpointsOf(watched, path);
      await watched.context().close();
      for (const endpoint of endpoints) {
        const page = await scene.browser.open();
        await page.route(
          (url) => url.pathname === endpoint,
          (route) =>
            route.fulfill({ status: 500, contentType: 'application/json', body: '{"error":"FF00001: made to fail"}' }),
        );
        await page.goto(scene.network.addressOf(`/ui/default/${path}`));
        await page.getByRole('heading', { level: 1 }).waitFor();
        const shown = page.getByText('made to fail').or(page.getByText('reconnecting')).first();
        await shown.waitFor({ timeout: 5_000 }).catch(() => silent.push(`${path}: ${endpoint}`));
        await page.context().close();
      }
    }
    expect(silent).toEqual([]);
  });

  it('shows a banner while its node is away, keeps what it has, and recovers', async () => {
    const { network } = scene;
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
