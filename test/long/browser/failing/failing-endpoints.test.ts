import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { hasNoBrowser } from '../fixtures/chromium.js';
import { allPaths } from '../fixtures/content.js';
import { endpointOf } from '../fixtures/endpoints.js';
import { failedAnswers, failedConnections, useScene } from '../fixtures/explorer.js';
import { inParallel } from '../fixtures/parallel.js';

const tabCount = 4;
const scene = useScene();
let readers: Promise<ReadonlyMap<string, string>> | undefined;

describe.skipIf(hasNoBrowser)('every page of the explorer, when one of its endpoints fails,', () => {
  it.each([1, 2, 3])(
    'shows the failure where the data would be, and the rest works: part %i of 3 of the endpoints',
    async (part) => {
      scene.allowFaults(failedAnswers);
      scene.allowFaults(failedConnections);
      readers ??= findReaders();
      const all = [...(await readers)];
      expect(all.length).toBeGreaterThan(30);
      const some = all.filter((_, index) => index % 3 === part - 1);
      const tabs = await Promise.all(Array.from({ length: tabCount }, openTab));
      await inParallel(
        some,
        async ([endpoint, path]) => {
          const tab = tabs.pop() ?? (await openTab());
          await failAndRecover(tab, endpoint, path);
          tabs.push(tab);
        },
        tabCount,
      );
    },
  );
});

/** A page and the endpoint that fails in it. */
interface Tab {
  readonly page: Page;
  /** Makes the GETs of an endpoint answer in a way from now on; those of all others work. */
  plan(endpoint: string, mode: Mode): void;
}

type Mode = 'fail' | 'break' | 'work';

const refusal = Buffer.from('{"error":"PY0500: planned <b>failure</b>"}').toString('base64');

/**
 * Opens a page whose requests for data may fail. Playwright's routes pass every request through this process and turn
 * the cache off, so the browser would load and compile the explorer again for each endpoint.
 */
async function openTab(): Promise<Tab> {
  const page = await scene.browser.openShared({});
  const session = await page.context().newCDPSession(page);
  let planned: { readonly endpoint: string; readonly mode: Mode } | undefined;
  const answer = (requestId: string, mode: Mode): Promise<unknown> => {
    if (mode === 'work') return session.send('Fetch.continueRequest', { requestId });
    if (mode === 'break') return session.send('Fetch.failRequest', { requestId, errorReason: 'Failed' });
    return session.send('Fetch.fulfillRequest', { requestId, responseCode: 500, body: refusal });
  };
  session.on('Fetch.requestPaused', ({ requestId, request: { method, url } }) => {
    const isPlanned = method === 'GET' && endpointOf(url) === planned?.endpoint;
    // A page that is closed meanwhile needs no answer.
    answer(requestId, (isPlanned && planned?.mode) || 'work').catch(() => undefined);
  });
  await session.send('Fetch.enable', { patterns: [{ urlPattern: '*/api/*' }, { urlPattern: '*/ui/_*' }] });
  return { page, plan: (endpoint, mode) => (planned = { endpoint, mode }) };
}

/** Returns the endpoints that pages read, each with one page that does. */
async function findReaders(): Promise<ReadonlyMap<string, string>> {
  const readers = new Map<string, string>();
  let shown = 'overview';
  const page = await scene.browser.open();
  page.on('request', (request) => {
    const endpoint = request.method() === 'GET' ? endpointOf(request.url()) : undefined;
    if (endpoint !== undefined && !readers.has(endpoint)) readers.set(endpoint, shown);
  });
  await page.goto(scene.network.addressOf('/ui/default/overview'));
  for (shown of await allPaths(scene)) await scene.turn(page, shown);
  return readers;
}

/** Makes an endpoint answer 500, then break, then work again, while a user tries again each time. */
async function failAndRecover({ page, plan }: Tab, endpoint: string, path: string): Promise<void> {
  plan(endpoint, 'fail');
  await page.goto(scene.network.addressOf(`/ui/default/${path}`));
  const alerts = page.getByRole('alert').filter({ has: page.getByRole('button', { name: 'Try again' }) });
  const failure = alerts.filter({ hasText: `GET ${endpoint.replace(/\{.*/, '')}` });
  const heading = page.getByRole('heading', { level: 1 });
  const name = `${endpoint} on ${path}`;
  await failure
    .filter({ hasText: 'The node answered 500 PY0500' })
    .filter({ hasText: 'planned <b>failure</b>' })
    .first()
    .waitFor()
    .catch(async () => expect([name, await page.locator('body').innerText()]).toEqual([name, 'a failure in place']));
  if (endpoint !== '/ui/_config') expect([name, await heading.count()]).toEqual([name, 1]);
  plan(endpoint, 'break');
  await failure.first().getByRole('button', { name: 'Try again' }).click();
  await failure.filter({ hasText: 'The node does not answer' }).first().waitFor();
  plan(endpoint, 'work');
  const tryAgain = async () => {
    const again = alerts.getByRole('button', { name: 'Try again' }).first();
    // It may disappear before the click, which must not wait for it then.
    if (await again.isVisible()) await again.click({ timeout: 2_000 });
    return alerts.count();
  };
  await expect.poll(tryAgain).toBe(0);
  await heading.waitFor();
}
