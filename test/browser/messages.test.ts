import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { Page } from 'playwright-core';
import { createThreeParties, type ThreeParties } from '../e2e/fixtures/three-parties.js';
import { hasNoBrowser, startBrowser, type WatchedBrowser } from './fixtures/chromium.js';

let network: ThreeParties;
let browser: WatchedBrowser;

beforeAll(async () => {
  if (hasNoBrowser) return;
  network = createThreeParties();
  await network.start();
  browser = await startBrowser(() => network.parties.map((party) => network.addressOf('/', party).slice(0, -1)));
});
afterEach(() => {
  if (!hasNoBrowser) expect(browser.faults()).toEqual([]);
});
afterAll(async () => {
  if (hasNoBrowser) return;
  await browser.close();
  await network.remove();
});

async function openPage(path: string, party = 'alice'): Promise<Page> {
  const page = await browser.open();
  await page.goto(network.addressOf(`/ui/default/${path}`, party));
  await page.getByRole('status').getByText('live', { exact: true }).waitFor();
  return page;
}

function send(body: unknown, how: { readonly party?: string; readonly path?: string } = {}) {
  const { party = 'bob', path = 'broadcast/message' } = how;
  return network.post<{ header: { id: string } }>(path, JSON.stringify(body), { party });
}

describe.skipIf(hasNoBrowser)('the messages of the explorer', () => {
  it('say what would be here, and the command that makes it', async () => {
    const page = await openPage('messages');
    await page.getByText('No message has been sent in this namespace yet.').waitFor();
    await page.getByText(`stack broadcast '{"hello":"world"}'`).waitFor();
  });

  it('appear by themselves when another party sends, and end confirmed', async () => {
    const page = await openPage('messages');
    const { header } = await send({ header: { tag: 'news', topics: ['live'] }, data: [{ value: { n: 1 } }] });
    const row = page.getByRole('row').filter({ hasText: header.id.slice(0, 8) });
    await row.getByText('confirmed').waitFor();
    await row.getByText('news').waitFor();
  });

  it('show values as they were sent, and hashes that this page has computed itself', async () => {
    const values = ['1.0', '12345678901234567890', '{"b":1,"a":2}'];
    const data = values.map((value) => `{"value":${value}}`).join(',');
    const { header } = await network.post<{ header: { id: string } }>('broadcast/message', `{"data":[${data}]}`);
    await network.confirmed(header.id, 'alice');
    const page = await openPage(`messages/${header.id}`);
    const article = page.getByRole('article');
    await article.getByText('all correct').waitFor();
    for (const [index, value] of values.entries()) {
      expect((await article.locator('li pre').nth(index).innerText()).replaceAll(/\s/g, '')).toBe(value);
      await article.locator('[data-copy="the value"]').nth(index).click();
      expect(await page.evaluate('navigator.clipboard.readText()')).toBe(value);
    }
  });

  it('turn the check red when what is served was changed', async () => {
    const { header } = await send({ data: [{ value: { amount: 10 } }] }, { party: 'alice' });
    await network.confirmed(header.id, 'alice');
    const page = await browser.open();
    await page.route(`**/messages/${header.id}/data`, async (route) => {
      const response = await route.fetch();
      await route.fulfill({ response, body: (await response.text()).replace('"amount":10', '"amount":11') });
    });
    await page.goto(network.addressOf(`/ui/default/messages/${header.id}`));
    await page.getByRole('article').getByText('1 wrong').waitFor();
  });
});
