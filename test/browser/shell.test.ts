import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { seriousFindings } from './fixtures/axe.js';
import { hasNoBrowser } from './fixtures/chromium.js';
import { type ExplorerScene, startScene, untilLive } from './fixtures/explorer.js';
import { hostileTexts } from './fixtures/hostile.js';
import { pages } from './fixtures/pages.js';

let scene: ExplorerScene;

beforeAll(async () => {
  if (hasNoBrowser) return;
  scene = await startScene();
});
afterEach(() => {
  if (!hasNoBrowser) expect(scene.browser.faults()).toEqual([]);
});
afterAll(async () => {
  if (!hasNoBrowser) await scene.remove();
});

describe.skipIf(hasNoBrowser)('every page of the explorer', () => {
  it('shows texts of others as texts, and runs, asks and breaks nothing by them', async () => {
    const { network } = scene;
    const values = hostileTexts.map((text) => ({ value: { [text]: text } }));
    const id = await scene.send(JSON.stringify({ header: { tag: 'hostile' }, data: values }));
    const form = new FormData();
    form.append('file', new Blob(['<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>']), '<img src=x>.svg');
    const uploaded = await fetch(network.addressOf('data', 'alice'), { method: 'POST', body: form });
    const { id: file } = (await uploaded.json()) as { readonly id: string };
    await network.confirmed(id, 'alice');
    const paths = [
      ...pages,
      `messages?open=${id}`,
      `messages/${id}`,
      `data/${file}`,
      'data',
      'events?f=events=%3Cb%3E',
    ];
    for (const path of paths) {
      const page = await scene.open(path);
      await page.getByRole('heading', { level: 1 }).waitFor();
      expect([path, await page.locator('img, iframe, object, embed, main script').count()]).toEqual([path, 0]);
      expect([path, await page.locator('[href^="javascript" i]').count()]).toEqual([path, 0]);
      await page.context().close();
    }
    const page = await scene.open(`data/${file}`);
    await page.getByRole('button', { name: 'Preview' }).click();
    await page.getByText('<svg xmlns=').waitFor();
    expect(await page.locator('article img').count()).toBe(0);
  });

  it.each(['light', 'dark'] as const)(
    'can be used without sight or mouse, as far as axe can tell, %s',
    async (theme) => {
      const id = await scene.send('{"header":{"tag":"axe"},"data":[{"value":{"a":[1,true,"x"]}}]}');
      await scene.network.confirmed(id, 'alice');
      const found: string[] = [];
      for (const path of [...pages, `messages?open=${id}`, `messages/${id}`]) {
        const page = await scene.open(path, { colorScheme: theme });
        await page.getByRole('heading', { level: 1 }).waitFor();
        await page.waitForLoadState('networkidle');
        found.push(...(await seriousFindings(page)).map((each) => `${path}: ${each}`));
        await page.context().close();
      }
      expect(found).toEqual([]);
    },
  );

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
    // The browser notes each attempt to connect while there was nobody.
    expect(scene.browser.faults().filter((fault) => !/ERR_CONNECTION|WebSocket|ERR_EMPTY|ERR_/.test(fault))).toEqual(
      [],
    );
  });
});
