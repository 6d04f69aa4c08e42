import type { Page, WebSocketRoute } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { hasNoBrowser } from './fixtures/chromium.js';
import { failedAnswers, untilLive, useScene } from './fixtures/explorer.js';

const scene = useScene();

/** Opens a page whose sockets the test can break. */
async function openBreakable(path: string): Promise<{ readonly page: Page; readonly sockets: WebSocketRoute[] }> {
  const page = await scene.browser.open();
  const sockets: WebSocketRoute[] = [];
  await page.routeWebSocket(/\/ws\?/, (socket) => {
    sockets.push(socket);
    socket.connectToServer();
  });
  await page.goto(scene.network.addressOf(`/ui/default/${path}`));
  await untilLive(page);
  return { page, sockets };
}

/** Makes the node report another newest event to a page, optionally after something else. */
async function tellNewest(page: Page, change: (sequence: number) => number, after?: Promise<unknown>): Promise<void> {
  await page.route('**/api/v1/namespaces/default/status', async (route) => {
    const response = await route.fetch();
    const status = (await response.json()) as { readonly parley: { lastSequence: number } };
    status.parley.lastSequence = change(status.parley.lastSequence);
    await after;
    await route.fulfill({ response, json: status });
  });
}

describe.skipIf(hasNoBrowser)('an explorer that was disconnected from its node', () => {
  it('reads its lists again once it knows where its stream continues, so that no event is missed', async () => {
    const { page, sockets } = await openBreakable('events');
    await scene.browser.settled(page);
    const isList = (url: string) => /\/events\?.*limit=100/.test(url);
    const listed = page.waitForResponse((response) => isList(response.url()));
    await tellNewest(page, (sequence) => sequence + 5_000, listed);
    await sockets[0]?.close();
    await listed;
    await page.waitForRequest((request) => isList(request.url()));
    await page.getByText('Many events came while there was no connection.').waitFor();
  });

  it('says so if its node no longer accepts its credentials', async () => {
    scene.allowFaults(failedAnswers);
    const { page, sockets } = await openBreakable('compose');
    await page.route('**/ui/_config', (route) => route.fulfill({ status: 401, body: '{"error":"FF00169: unknown"}' }));
    let isRefused = true;
    await page.routeWebSocket(/\/ws\?/, (socket) => {
      if (isRefused) void socket.close();
      else socket.connectToServer();
    });
    await sockets[0]?.close();
    const alert = page.getByRole('alert').filter({ hasText: 'The node of alice no longer accepts the credentials' });
    await alert.waitFor();
    isRefused = false;
    await untilLive(page);
    await alert.waitFor({ state: 'hidden' });
  });

  it('follows a node that has started anew from its first events on', async () => {
    const { page, sockets } = await openBreakable('events');
    const id = await scene.send('{"header":{"tag":"before"},"data":[{"value":1}]}');
    await page.getByRole('row').filter({ hasText: 'before' }).first().waitFor();
    await scene.network.confirmed(id, 'alice');
    await tellNewest(page, () => 0);
    await sockets[0]?.close();
    await expect.poll(() => sockets.at(-1)?.url()).toMatch(/firstEvent=0(&|$)/);
  });
});

describe.skipIf(hasNoBrowser)('an explorer whose clock is wrong', () => {
  it.each([-3_600_000, 3_600_000])('shows times and charts by the clock of its node: %i ms', async (differenceMs) => {
    const id = await scene.send('{"header":{"tag":"clock"},"data":[{"value":1}]}');
    await scene.network.confirmed(id, 'alice');
    const page = await scene.browser.open();
    await page.clock.install({ time: Date.now() + differenceMs });
    await page.goto(scene.network.addressOf('/ui/default/messages'));
    await page.getByText(/^\d+ messages? in 15 minutes/).waitFor();
    const row = page.getByRole('row').filter({ hasText: id.slice(0, 8) });
    await row.getByText(/^(now|\d+ s ago)$/).waitFor();
    const to = new Date(Date.now() + 60_000).toISOString();
    await page.goto(scene.network.addressOf(`/ui/default/messages?from=-15m&to=${to}`));
    await row.waitFor();
    expect(await page.getByRole('button', { name: 'Time range: Custom range' }).count()).toBe(1);
  });
});

describe.skipIf(hasNoBrowser)('a list of the explorer', () => {
  it('over the last hour is not read again when one of its records is opened', async () => {
    const id = await scene.send('{"header":{"tag":"hour"},"data":[{"value":1}]}');
    await scene.network.confirmed(id, 'alice');
    const page = await scene.open('messages?from=-1h');
    const row = page.getByRole('row').filter({ hasText: id.slice(0, 8) });
    await row.waitFor();
    await scene.browser.settled(page);
    const starts = async (): Promise<readonly string[]> => {
      const urls = await page.evaluate<string[]>(`performance.getEntriesByType('resource').map(({ name }) => name)`);
      return urls.flatMap((url) => /\/messages\?.*created=.*?(T\d\d%3A\d\d).*&limit=100$/.exec(url)?.[1] ?? []);
    };
    // Lists that the message has changed are read again after up to half a second.
    let before: readonly string[] = [];
    const isQuiet = async (): Promise<boolean> => {
      const earlier = before.length;
      before = await starts();
      return earlier > 0 && before.length === earlier;
    };
    await expect.poll(isQuiet, { interval: 1_000, timeout: 20_000 }).toBe(true);
    await row.getByRole('link').click();
    await page.getByRole('article', { name: `Message ${id}` }).waitFor();
    await scene.browser.settled(page);
    const since = (await starts()).slice(before.length);
    // The last hour begins anew each minute, and the list is read then.
    expect(since.filter((start) => before.includes(start))).toEqual([]);
  });

  it('is shown from its first row when it is sorted while scrolled', async () => {
    for (let order = 0; order < 60; order++)
      await scene.send(`{"header":{"tag":"many"},"data":[{"value":${order}}]}`, {
        party: order % 2 === 0 ? 'alice' : 'carol',
      });
    const last = await scene.send('{"header":{"tag":"many"},"data":[{"value":"last"}]}', { party: 'carol' });
    await scene.network.confirmed(last, 'alice');
    const page = await scene.open('messages?f=tag=many');
    const list = page.getByRole('region', { name: 'messages', exact: true });
    await list.getByRole('row').nth(10).waitFor();
    await list.hover();
    await page.mouse.wheel(0, 600);
    const scrolled = () => page.evaluate<number>(`document.querySelector('[aria-label="messages"]').scrollTop`);
    await expect.poll(scrolled).toBeGreaterThan(100);
    // A click on the locator itself would scroll the list to the top.
    const title = await list.getByRole('button', { name: 'Author' }).boundingBox();
    await page.mouse.click((title?.x ?? 0) + 5, (title?.y ?? 0) + 5);
    await expect.poll(() => list.locator('[data-row="0"]').innerText()).toContain('alice');
    await scene.browser.settled(page);
    expect(await page.getByRole('button', { name: /\d new$/ }).count()).toBe(0);
    expect(await list.locator('[data-row="0"]').isVisible()).toBe(true);
  });

  it('shows what another program uploads and deletes at the node, for which there is no event', async () => {
    const page = await scene.open('data');
    const { id } = await scene.network.post<{ readonly id: string }>('data', '{"value":"from elsewhere"}', {
      status: 200,
    });
    const row = page.getByRole('row').filter({ hasText: 'from elsewhere' });
    await row.getByRole('link').click();
    await page.getByRole('article', { name: `Data item ${id}` }).waitFor();
    scene.allowFaults(failedAnswers);
    await fetch(scene.network.addressOf(`data/${id}`), { method: 'DELETE' });
    await page.getByText('Data item not found').waitFor();
    await expect.poll(() => row.count()).toBe(0);
  });
});

describe.skipIf(hasNoBrowser)('a record of the explorer', () => {
  it('that does not exist yet is shown as soon as it arrives', async () => {
    scene.allowFaults(failedAnswers);
    const id = await scene.send('{"header":{"tag":"late"},"data":[{"value":1}]}');
    await scene.network.confirmed(id, 'alice');
    const page = await scene.browser.open();
    const pattern = `**/messages/${id}`;
    await page.route(pattern, (route) => route.fulfill({ status: 404, body: '{"error":"PY0404: not here yet"}' }));
    await page.goto(scene.network.addressOf(`/ui/default/messages?open=${id}`));
    await page.getByText('Message not found').waitFor();
    await page.unroute(pattern);
    await scene.send('{"header":{"tag":"other"},"data":[{"value":1}]}');
    await page.getByRole('article', { name: `Message ${id}` }).waitFor();
  });

  it('is changed from its current state, not from the state in which it was opened', async () => {
    const { network } = scene;
    const headers = { 'content-type': 'application/json' };
    const put = (tag: string) =>
      fetch(network.addressOf('subscriptions'), {
        method: 'PUT',
        headers,
        body: JSON.stringify({ name: 'two-hands', filter: { message: { tag } } }),
      });
    await put('^first$');
    const page = await scene.open('subscriptions');
    await page.getByRole('row').filter({ hasText: 'two-hands' }).getByRole('link').click();
    const record = page.getByRole('article');
    await record.getByText('message.tag=^first$').waitFor();
    await put('^second$');
    await record.getByText('message.tag=^second$').waitFor();
    await record.getByRole('button', { name: 'Change' }).click();
    const filter = page.getByRole('dialog').getByLabel('Filter', { exact: true });
    expect(await filter.inputValue()).toContain('^second$');
  });
});
