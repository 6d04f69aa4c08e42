import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { hasNoBrowser } from './fixtures/chromium.js';
import { useScene } from './fixtures/explorer.js';

let id: string;
const scene = useScene({
  prepare: async ({ send }) => {
    id = await send('{"header":{"tag":"invoice","topics":["trade-7"]},"data":[{"value":"nobody searches this"}]}');
  },
});

async function search(page: Page, text: string): Promise<void> {
  await page.keyboard.press('/');
  await page.getByRole('combobox', { name: 'Search' }).waitFor();
  await page.keyboard.type(text);
}

describe.skipIf(hasNoBrowser)('the search of the explorer', () => {
  it('opens the only record with an id, with the keyboard alone', async () => {
    await scene.network.confirmed(id, 'alice');
    const page = await scene.open('overview');
    await search(page, id);
    await page.keyboard.press('Enter');
    await page.getByRole('article', { name: `Message ${id}` }).waitFor();
    expect(page.url()).toContain(`/ui/default/messages?open=${id}`);
  });

  it('finds a message by the beginning of its id, its tag and its topic, and a party by its name', async () => {
    const page = await scene.open('overview');
    const groupOf = (title: string) => page.getByRole('group', { name: title });
    await search(page, id.slice(0, 6));
    await groupOf('Messages').getByRole('option').filter({ hasText: id }).waitFor();
    await page.keyboard.press('Escape');
    await search(page, 'invo');
    await groupOf('Tags').getByRole('option', { name: 'invoice' }).waitFor();
    await page.keyboard.press('Escape');
    await search(page, 'trade-7');
    await groupOf('Topics').getByRole('option', { name: 'trade-7' }).waitFor();
    await page.keyboard.press('Enter');
    await page
      .getByRole('row')
      .filter({ hasText: id.slice(0, 8) })
      .waitFor();
    await search(page, 'bob');
    await groupOf('Parties and identities').getByRole('option').filter({ hasText: 'did:parley:org/bob' }).waitFor();
  });

  it('requests every kind of record that has an id, including those of the chain', async () => {
    const page = await scene.open('overview');
    const asked: string[] = [];
    page.on('request', (request) => asked.push(request.url().replace(/^.*\/default\//, '')));
    const other = '0b1c2d3e-4f50-4a6b-8c7d-0123456789ab';
    await search(page, other);
    await page.getByText('No results in this namespace').waitFor();
    for (const list of ['messages', 'data', 'apis', 'operations', 'contracts/listeners', 'blockchainevents'])
      expect(asked).toContain(`${list}?id=${other}&limit=5`);
    for (const list of ['tokens/transfers', 'tokens/approvals'])
      expect(asked).toContain(`${list}?localid=${other}&limit=5`);
    expect(asked).toContain(`operations?tx=${other}&limit=5`);
  });

  it('cancels its requests while more is typed, and does not search values', async () => {
    const page = await scene.browser.open();
    const asked: string[] = [];
    let holds = true;
    await page.route('**/api/v1/namespaces/default/messages?tag=*', async (route) => {
      asked.push(new URL(route.request().url()).searchParams.get('tag') ?? '');
      if (holds) return;
      await route.continue();
    });
    const cancelled = page.waitForEvent('requestfailed');
    await page.goto(scene.network.addressOf('/ui/default/overview?q=nobody'));
    await expect.poll(() => asked).toContain(':^nobody');
    holds = false;
    await page.getByRole('combobox', { name: 'Search' }).fill('nobody searches');
    expect((await cancelled).failure()?.errorText).toContain('ABORTED');
    await page.getByText('No results in this namespace').waitFor();
  });
});
