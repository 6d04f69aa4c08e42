import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { findingsInBothThemes } from './fixtures/axe.js';
import { hasNoBrowser } from './fixtures/chromium.js';
import { type Content, makeContent } from './fixtures/content.js';
import { endpointOf } from './fixtures/endpoints.js';
import { failedAnswers, failedConnections, useScene } from './fixtures/explorer.js';
import { hostileAnswer } from './fixtures/hostile.js';
import { pages } from './fixtures/pages.js';
import { inParallel } from './fixtures/parallel.js';

const scene = useScene();
const tabCount = 4;
const heading = (page: Page) => page.getByRole('heading', { level: 1 });

/** Opens a page that may not be live, since something fails for it. */
async function openFailing(path: string, prepare: (page: Page) => Promise<unknown>): Promise<Page> {
  const page = await scene.browser.open();
  await prepare(page);
  await page.goto(scene.network.addressOf(`/ui/default/${path}`));
  return page;
}

/** A command that makes what a page would show, and the button or link beside it. */
const makers: readonly (readonly [path: string, command: string, action?: string])[] = [
  ['overview', `stack broadcast '{"hello":"world"}'`],
  ['messages', `stack broadcast '{"hello":"world"}'`, 'Compose a message'],
  ['data', 'stack data upload report.pdf', 'Upload'],
  ['datatypes', 'stack datatype define', 'Define a datatype'],
  ['subscriptions', 'stack subs create my-app', 'New subscription'],
  ['groups', "stack send 'only for you' --to bob", 'Compose a message'],
  ['flow', `stack broadcast '{"hello":"world"}'`, 'Compose a message'],
  ['topics', 'stack messages list --state ready'],
  ['tokens', 'stack pool create coins', 'Create pool'],
  ['tokens/transfers', 'stack mint 100 --pool coins', 'Mint'],
  ['tokens/approvals', 'stack api POST tokens/approvals', 'Approve'],
  ['tokens/nonfungible', 'stack pool create deeds', 'Mint'],
  ['contracts', 'stack chain deploy Escrow.json', 'Define interface'],
  ['contracts/apis', 'stack api POST apis', 'Create API'],
  ['contracts/listeners', 'stack api POST apis/escrow/listeners/Opened', 'Listen'],
  ['contracts/events', 'stack events tail --type blockchain_event_received', 'Listen'],
  ['contracts/operations', 'stack chain deploy Escrow.json', 'Deploy'],
];

describe.skipIf(hasNoBrowser)('every page of the explorer', () => {
  let content: Promise<Content> | undefined;
  let readers: Promise<ReadonlyMap<string, string>> | undefined;
  /** Every page and every kind of record, of which there is something from the first call on. */
  async function allPaths(): Promise<readonly string[]> {
    content ??= makeContent(scene);
    return [...pages, ...(await content).records];
  }

  it('says what would be here, with the command and the button that make it', async () => {
    const page = await scene.open('overview');
    const main = page.getByRole('main');
    for (const [path, command, action] of makers) {
      await scene.turn(page, path);
      await main.getByText(command).first().waitFor();
      if (action === undefined) continue;
      const button = main.getByRole('button', { name: action, exact: true });
      await button
        .or(main.getByRole('link', { name: action, exact: true }))
        .last()
        .click();
      const form = page.getByRole('dialog').or(page.getByRole('heading', { name: 'Compose', level: 1 }));
      await form.first().waitFor();
      await page.keyboard.press('Escape');
    }
  });

  it('loads where there is no network, and shows what comes without being loaded again', async () => {
    const expected: Readonly<Record<string, string>> = {
      overview: 'message_confirmed',
      events: 'no-reload',
      messages: 'no-reload',
      data: '"no reload"',
      groups: 'bob',
      compose: 'Send',
      datatypes: 'stack datatype define',
      tokens: 'stack pool create',
      network: 'alice',
      contracts: 'stack chain deploy',
      subscriptions: 'stack subs create',
      flow: 'confirmed',
    };
    const tabs = await Promise.all(
      Object.keys(expected).map(async (path) => {
        const page = await scene.open(path);
        await page.evaluate('window.isTheSame = true');
        return [path, page] as const;
      }),
    );
    const message = '"header":{"tag":"no-reload"},"data":[{"value":"no reload"}]';
    await scene.send(`{${message}}`);
    const group = '"group":{"members":[{"identity":"bob"}]}';
    await scene.send(`{${group},${message}}`, { party: 'alice', path: 'send/message' });
    for (const [path, page] of tabs) {
      const main = page.getByRole('main');
      await expect.poll(() => main.innerText(), { message: path }).toContain(expected[path]);
      expect([path, await page.evaluate('window.isTheSame')]).toEqual([path, true]);
      expect([path, await page.getByRole('alert').count()]).toEqual([path, 0]);
      await page.close();
    }
  });

  it('shows texts of others as texts, in every field, and runs, asks and breaks nothing by them', async () => {
    // The node knows nothing by the names that it is asked for.
    scene.allowFaults(failedAnswers);
    const page = await openFailing('overview', (opened) => opened.route('**/api/v1/**', hostileAnswer));
    for (const path of await allPaths()) {
      await scene.turn(page, path);
      expect([path, await page.locator('img, iframe, object, embed, main script').count()]).toEqual([path, 0]);
      expect([path, await page.locator('[href^="javascript" i]').count()]).toEqual([path, 0]);
      expect([path, await page.evaluate('document.documentElement.scrollWidth <= innerWidth')]).toEqual([path, true]);
      expect([path, await page.getByText('Something is wrong with this page').count()]).toEqual([path, 0]);
    }
  });

  it.each([
    ['<img src=x>.svg', '<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>'],
    ['<img src=x>.html', '<html><script>alert(1)</script><img src=x onerror=alert(1)></html>'],
  ])('renders no file that could run, and shows its text instead: %s', async (name, text) => {
    const form = new FormData();
    form.append('file', new Blob([text]), name);
    const uploaded = await fetch(scene.network.addressOf('data'), { method: 'POST', body: form });
    const { id } = (await uploaded.json()) as { readonly id: string };
    const page = await scene.open(`data/${id}`);
    await page.getByRole('button', { name: 'Preview' }).click();
    await page.getByText(text).waitFor();
    expect(await page.locator('main :is(img, iframe, object, embed, script)').count()).toBe(0);
  });

  it('can be used without sight or mouse, as far as axe can tell, in both themes', async () => {
    const found: string[] = [];
    const page = await scene.open('overview', { colorScheme: 'light' });
    for (const path of await allPaths()) {
      await scene.turn(page, path);
      found.push(...(await findingsInBothThemes(page)).map((each) => `${path}: ${each}`));
    }
    expect(found).toEqual([]);
  });

  it.each([1, 2, 3])(
    'shows each endpoint that fails in its place, and the rest goes on: part %i of 3',
    async (part) => {
      scene.allowFaults(failedAnswers);
      scene.allowFaults(failedConnections);
      readers ??= readersOf(await allPaths());
      const all = [...(await readers)];
      expect(all.length).toBeGreaterThan(30);
      const some = all.filter((_, index) => index % 3 === part - 1);
      const tabs = await Promise.all(Array.from({ length: tabCount }, () => scene.browser.open()));
      await inParallel(
        some,
        async ([endpoint, path]) => {
          const page = tabs.pop() ?? (await scene.browser.open());
          await failAndRecover(page, endpoint, path);
          tabs.push(page);
        },
        tabCount,
      );
    },
  );

  it('says so when the node is slow, and can be left', async () => {
    const page = await openFailing('compose', async (opened) => {
      await opened.clock.install();
      await opened.route(/\/(api\/v1|ui\/_stack)\//, () => undefined);
    });
    for (const path of pages) {
      const url = JSON.stringify(`/ui/default/${path}`);
      await page.evaluate(`history.pushState(null, '', ${url}); dispatchEvent(new PopStateEvent('popstate'))`);
      await heading(page).waitFor();
      await page.clock.fastForward(6_000);
      if (path !== 'compose') await page.getByText('The node has not answered yet.').first().waitFor();
    }
  });

  /** The endpoints that pages read, each with one page that does. */
  async function readersOf(all: readonly string[]): Promise<ReadonlyMap<string, string>> {
    const readers = new Map<string, string>();
    let shown = 'overview';
    const page = await scene.browser.open();
    page.on('request', (request) => {
      const endpoint = request.method() === 'GET' ? endpointOf(request.url()) : undefined;
      if (endpoint !== undefined && !readers.has(endpoint)) readers.set(endpoint, shown);
    });
    await page.goto(scene.network.addressOf('/ui/default/overview'));
    for (shown of all) await scene.turn(page, shown);
    return readers;
  }

  /** Makes an endpoint answer 500, then break, then work again, as a person tries again and again. */
  async function failAndRecover(page: Page, endpoint: string, path: string): Promise<void> {
    let mode: 'fail' | 'break' | 'work' = 'fail';
    await page.route(
      (url) => endpointOf(url.href) === endpoint,
      async (route) => {
        const request = route.request().method();
        if (request !== 'GET' || mode === 'work') await route.continue();
        else if (mode === 'break') await route.abort();
        else await route.fulfill({ status: 500, body: '{"error":"PY0500: planned <b>failure</b>"}' });
      },
    );
    await page.goto(scene.network.addressOf(`/ui/default/${path}`));
    const alerts = page.getByRole('alert').filter({ has: page.getByRole('button', { name: 'Try again' }) });
    const failure = alerts.filter({ hasText: `GET ${endpoint.replace(/\{.*/, '')}` });
    const name = `${endpoint} on ${path}`;
    await failure
      .filter({ hasText: 'The node answered 500 PY0500' })
      .filter({ hasText: 'planned <b>failure</b>' })
      .first()
      .waitFor()
      .catch(async () => expect([name, await page.locator('body').innerText()]).toEqual([name, 'a failure in place']));
    if (endpoint !== '/ui/_config') expect([name, await heading(page).count()]).toEqual([name, 1]);
    mode = 'break';
    await failure.first().getByRole('button', { name: 'Try again' }).click();
    await failure.filter({ hasText: 'The node does not answer' }).first().waitFor();
    mode = 'work';
    const tryAgain = async () => {
      const again = alerts.getByRole('button', { name: 'Try again' }).first();
      if (await again.isVisible()) await again.click();
      return alerts.count();
    };
    await expect.poll(tryAgain).toBe(0);
    await heading(page).waitFor();
    await page.unrouteAll({ behavior: 'wait' });
  }
});
