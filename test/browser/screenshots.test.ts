import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, it } from 'vitest';
import { hasNoBrowser } from './fixtures/chromium.js';
import { type ExplorerScene, startScene } from './fixtures/explorer.js';
import { pages } from './fixtures/pages.js';

const folder = process.env['SCREENSHOTS'];
const isWanted = folder !== undefined && !hasNoBrowser;
const looks = (['light', 'dark'] as const).flatMap((colorScheme) =>
  [1_280, 400].map((width) => ({ colorScheme, viewport: { width, height: 800 } })),
);
let scene: ExplorerScene;

beforeAll(async () => {
  if (isWanted) scene = await startScene();
});
afterAll(async () => {
  if (isWanted) await scene.remove();
});

/** Pictures of pages in both themes, wide and narrow. */
async function take(name: string, paths: readonly string[]): Promise<void> {
  for (const look of looks) {
    for (const path of paths) {
      const page = await scene.open(path, look);
      await page.waitForLoadState('networkidle');
      const place = path.replace(/\?.*$/, '').replaceAll('/', '-');
      const file = `${place}-${name}-${look.colorScheme}-${look.viewport.width}.png`;
      await page.screenshot({ path: join(folder ?? '', file) });
      await page.context().close();
    }
  }
}

/** Pools with a few holders. */
async function makeTokens(): Promise<void> {
  const lines = [
    'pool create coins --type fungible --symbol COIN',
    'pool create deeds --type nonfungible --symbol DEED',
    'mint 1250000 --pool coins',
    'mint 1 --pool deeds',
    'transfer 300000 --pool coins --to bob',
    'transfer 45000 --pool coins --to carol',
  ];
  for (const line of lines) await scene.network.shell(`stack ${line}`);
}

/** The pictures of the README by their names. */
const readmePictures = (id: string): Readonly<Record<string, string>> => ({
  overview: 'overview',
  messages: `messages?open=${id}`,
  events: 'events',
  compose: 'compose',
  flow: `flow/${id}`,
  tokens: 'tokens',
});

/** Every page at once while a party's node is away, each with what it had before. */
async function takeAway(): Promise<void> {
  for (const look of looks) {
    const opened: (readonly [path: string, page: Page])[] = [];
    for (const path of pages) opened.push([path, await scene.open(path, look)]);
    await scene.network.stop('alice');
    for (const [path, page] of opened) {
      await page.getByText('No connection to the node of alice.').waitFor();
      const file = `${path.replaceAll('/', '-')}-away-${look.colorScheme}-${look.viewport.width}.png`;
      await page.screenshot({ path: join(folder ?? '', file) });
      await page.context().close();
    }
    await scene.network.startAgain('alice');
  }
}

describe.skipIf(!isWanted)('pictures of the explorer', () => {
  it('with nothing', () => take('empty', pages));

  it('with data, and a record beside the list', async () => {
    const group = { members: [{ identity: 'bob' }, { identity: 'carol' }] };
    for (let n = 1; n <= 12; n++) {
      const data = [{ value: { order: n, amount: n * 100, items: ['tea', 'milk'] } }];
      const header = { tag: n % 3 === 0 ? 'invoice' : 'order', topics: [`orders-${n % 2}`] };
      if (n % 4 === 0)
        await scene.send(JSON.stringify({ header, group, data }), { path: 'send/message', party: 'alice' });
      else await scene.send(JSON.stringify({ header, data }), { party: n % 2 === 0 ? 'alice' : 'carol' });
    }
    const id = await scene.send('{"header":{"tag":"last"},"data":[{"value":{"b":1.0,"n":12345678901234567890}}]}');
    await scene.network.confirmed(id, 'alice');
    await makeTokens();
    await take('data', pages);
    await take('open', [`messages?open=${id}`]);
    for (const [name, path] of Object.entries(readmePictures(id))) {
      const page = await scene.open(path, { colorScheme: 'light', viewport: { width: 1_280, height: 720 } });
      await page.waitForLoadState('networkidle');
      await page.screenshot({ path: join(folder ?? '', 'readme', `${name}.png`) });
      await page.context().close();
    }
  });

  it('with the node away', takeAway);
});
