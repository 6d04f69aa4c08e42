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
});

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
  const heading = page.getByRole('heading', { level: 1 });
  const name = `${endpoint} on ${path}`;
  await failure
    .filter({ hasText: 'The node answered 500 PY0500' })
    .filter({ hasText: 'planned <b>failure</b>' })
    .first()
    .waitFor()
    .catch(async () => expect([name, await page.locator('body').innerText()]).toEqual([name, 'a failure in place']));
  if (endpoint !== '/ui/_config') expect([name, await heading.count()]).toEqual([name, 1]);
  mode = 'break';
  await failure.first().getByRole('button', { name: 'Try again' }).click();
  await failure.filter({ hasText: 'The node does not answer' }).first().waitFor();
  mode = 'work';
  const tryAgain = async () => {
    const again = alerts.getByRole('button', { name: 'Try again' }).first();
    // It may disappear before the click, which must not wait for it then.
    if (await again.isVisible()) await again.click({ timeout: 2_000 });
    return alerts.count();
  };
  await expect.poll(tryAgain).toBe(0);
  await heading.waitFor();
  await page.unrouteAll({ behavior: 'wait' });
}
