import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { describe, it } from 'vitest';
import { hasNoBrowser } from './fixtures/chromium.js';
import { type Content, makeContent } from './fixtures/content.js';
import { failedConnections, useScene } from './fixtures/explorer.js';
import { field } from './fixtures/forms.js';
import { pages } from './fixtures/pages.js';
import { inParallel } from './fixtures/parallel.js';

const folder = process.env['SCREENSHOTS'] ?? '';
const isWanted = folder !== '' && !hasNoBrowser;
const limitMs = 10 * 60_000;
const looks = (['light', 'dark'] as const).flatMap((colorScheme) =>
  [1_280, 400].map((width) => ({ colorScheme, viewport: { width, height: 800 } })),
);
const scene = useScene({ isWanted, allows: failedConnections });

/** Takes pictures of pages in both themes, wide and narrow; one tab for each look navigates from page to page. */
async function take(name: string, paths: readonly string[], prepare?: (page: Page) => Promise<void>): Promise<void> {
  const opened: { readonly page: Page; readonly look: string }[] = [];
  for (const look of looks) {
    const page = await scene.open('overview', look);
    opened.push({ page, look: `${look.colorScheme}-${look.viewport.width}` });
    for (const path of prepare === undefined ? [] : paths) await scene.turn(page, path);
  }
  const [first] = opened;
  if (first !== undefined) await prepare?.(first.page);
  await inParallel(opened, async ({ page, look }) => {
    for (const path of paths) {
      await scene.turn(page, path);
      await page.screenshot({ path: join(folder, `${placeOf(path)}-${name}-${look}.png`) });
    }
    await page.close();
  });
}

/** Returns a path as a part of a file name, without ids. */
function placeOf(path: string): string {
  const [place = '', query] = path.split('?');
  const words = place.split('/').map((part) => (/^[0-9a-f]{8}/.test(part) ? 'one' : part));
  return [...words, ...(query === undefined ? [] : ['open'])].join('-');
}

/** Takes the pictures of the README by their names. */
async function takeReadme({ message }: Content): Promise<void> {
  const page = await scene.open('overview', { colorScheme: 'light', viewport: { width: 1_280, height: 720 } });
  const places = {
    overview: 'overview',
    messages: `messages?open=${message}`,
    events: 'events?f=message.tag=.',
    compose: 'compose',
    flow: `flow/${message}`,
    tokens: 'tokens',
  };
  for (const [name, path] of Object.entries(places)) {
    await scene.turn(page, path);
    if (name === 'compose') await writeMessage(page);
    await page.screenshot({ path: join(folder, 'readme', `${name}.png`) });
  }
}

/** Fills the form of a message, and shows the end of it with the request. */
async function writeMessage(page: Page): Promise<void> {
  await page.getByRole('radio', { name: /^Private/ }).check();
  await page.getByRole('checkbox', { name: 'bob' }).check();
  await field(page, 'Value 1').fill('{"order": 17, "items": ["tea", "milk"]}');
  await field(page, 'Topics').fill('orders');
  await field(page, 'Tag').fill('order');
  await page.getByRole('tab', { name: 'curl' }).click();
  await page.getByRole('tabpanel').scrollIntoViewIfNeeded();
}

describe.skipIf(!isWanted)('pictures of the explorer', () => {
  it('without records', { timeout: limitMs }, () => take('empty', pages));

  it('with data, and with each kind of record', { timeout: limitMs }, async () => {
    const content = await makeContent(scene);
    await take('data', [...pages, ...content.records]);
    await takeReadme(content);
  });

  it('with the node away', { timeout: limitMs }, () =>
    take('away', pages, async (page) => {
      await scene.network.stop('alice');
      await page.getByText('No connection to the node of alice.').waitFor();
    }),
  );
});
