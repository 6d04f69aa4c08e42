import { describe, expect, it } from 'vitest';
import { hasNoBrowser } from './fixtures/chromium.js';
import { failedConnections, untilLive, useScene } from './fixtures/explorer.js';

const scene = useScene();

describe.skipIf(hasNoBrowser)('the shell of the explorer', () => {
  it('is the same again from its URL, and Back takes back ten choices in turn', async () => {
    const id = await scene.send('{"header":{"tag":"back"},"data":[{"value":1}]}');
    await scene.network.confirmed(id, 'alice');
    const page = await scene.open('messages');
    const urls = [page.url()];
    const step = async (choose: () => Promise<unknown>) => {
      await choose();
      await expect.poll(() => page.url()).not.toBe(urls.at(-1));
      urls.push(page.url());
    };
    await step(async () => {
      await page.getByLabel('Filter').fill('tag=back');
      await page.keyboard.press('Enter');
    });
    await step(() =>
      page
        .getByRole('row')
        .filter({ hasText: id.slice(0, 8) })
        .getByRole('link')
        .click(),
    );
    await step(() => page.keyboard.press('Escape'));
    await step(async () => {
      await page.getByRole('button', { name: 'Time range: Live' }).click();
      await page.getByRole('button', { name: 'Last hour' }).click();
    });
    await step(() => page.keyboard.press('l'));
    await step(() => page.getByRole('button', { name: 'Remove the filter tag=back' }).click());
    await step(() => page.getByRole('link', { name: 'Tokens' }).click());
    await step(() => page.getByRole('link', { name: 'Transfers' }).click());
    await step(() => page.keyboard.press('/'));
    await step(() => page.keyboard.press('Escape'));
    await step(() => page.getByRole('link', { name: 'Events' }).click());
    await page.reload();
    await untilLive(page);
    expect(page.url()).toBe(urls.at(-1));
    for (const url of urls.slice(0, -1).reverse()) {
      await page.goBack();
      await expect.poll(() => page.url()).toBe(url);
    }
  });

  it('says that its node is away, keeps what it shows, and misses no event', async () => {
    scene.allowFaults(failedConnections);
    const { network } = scene;
    const page = await scene.open('events?f=message.tag=%5Eaway$');
    const rows = page.getByRole('row').filter({ hasText: 'message_confirmed' });
    const before = await scene.send('{"header":{"tag":"away"},"data":[{"value":1}]}');
    await rows.filter({ hasText: before.slice(0, 8) }).waitFor();
    await network.kill('alice');
    const after = await Promise.all(
      [2, 3, 4].map((value) => scene.send(`{"header":{"tag":"away"},"data":[{"value":${value}}]}`)),
    );
    for (const id of after) await rows.filter({ hasText: id.slice(0, 8) }).waitFor();
    expect(await rows.count()).toBe(4);
    await untilLive(page);
  });
});
