import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { hasNoBrowser } from './fixtures/chromium.js';
import { failedAnswers, failedConnections, untilLive, useScene } from './fixtures/explorer.js';

const scene = useScene();

describe.skipIf(hasNoBrowser)('the shell of the explorer', () => {
  it('is restored from its URL, and Back undoes ten choices in turn', async () => {
    const id = await scene.send('{"header":{"tag":"back"},"data":[{"value":1}]}');
    await scene.network.confirmed(id, 'alice');
    const page = await scene.open('messages');
    await scene.browser.settled(page);
    const views = [await viewOf(page)];
    const step = async (choose: () => Promise<unknown>) => {
      await choose();
      await expect.poll(() => page.url()).not.toBe(views.at(-1)?.url);
      await scene.browser.settled(page);
      views.push(await viewOf(page));
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
    expect(views).toHaveLength(12);
    for (const view of views.toReversed()) {
      if (view !== views.at(-1)) await page.goBack();
      await expect.poll(() => viewOf(page)).toEqual(view);
      await page.reload();
      await untilLive(page);
      await expect.poll(() => viewOf(page)).toEqual(view);
    }
  });

  it('says which parts of a URL are invalid, and ignores them', async () => {
    const page = await scene.open('groups?sort=colour&f=colour%3Dred&from=yesterday');
    await page.getByText('The filter colour=red is ignored. No field named "colour".').waitFor();
    await page.getByText('Invalid time "yesterday"').waitFor();
    expect(await page.getByRole('button', { name: 'Time range: Live' }).count()).toBe(1);
  });

  it('says that no record can have the id of a URL, and leads back to the list', async () => {
    scene.allowFaults(failedAnswers);
    const page = await scene.open('overview');
    const expected = [
      ['messages/xyz', 'messages', 'must be a UUID, not "xyz"'],
      ['messages?open=xyz', 'messages', 'must be a UUID, not "xyz"'],
      ['groups/xyz', 'groups', 'must be 64 lower-case hexadecimal characters, not "xyz"'],
      ['tokens/transfers?open=xyz', 'tokens/transfers', 'must be a UUID, not "xyz"'],
      ['contracts/operations/xyz', 'contracts/operations', 'must be a UUID, not "xyz"'],
      ['flow/xyz', 'flow', 'must be a UUID, not "xyz"'],
    ] as const;
    for (const [path, list, text] of expected) {
      await scene.turn(page, path);
      const alert = page.getByRole('alert');
      await alert.filter({ hasText: 'Invalid id' }).getByText(text).waitFor();
      expect([path, await alert.count(), await alert.getByRole('button', { name: 'Try again' }).count()]).toEqual([
        path,
        1,
        0,
      ]);
      await alert.getByRole('link', { name: 'Back to the list' }).click();
      expect(new URL(page.url()).pathname).toBe(`/ui/default/${list}`);
      await alert.waitFor({ state: 'detached' });
    }
  });

  it('works below a path at which a proxy serves its node', async () => {
    const page = await scene.browser.open();
    const asked: string[] = [];
    await page.routeWebSocket(/./, (socket) => void asked.push(new URL(socket.url()).pathname));
    await page.route('**/*', async (route) => {
      const url = route.request().url();
      asked.push(new URL(url).pathname);
      await route.continue({ url: url.replace('/alice/', '/') });
    });
    await page.goto(scene.network.addressOf('/alice/ui'));
    await page.getByRole('link', { name: 'Network', exact: true }).click();
    await page.getByRole('row').filter({ hasText: 'did:parley:org/bob' }).getByRole('link').first().click();
    await page.getByRole('link', { name: 'Open full page' }).click();
    await page.getByRole('article').getByText('did:parley:org/bob').first().waitFor();
    expect(new URL(page.url()).pathname).toMatch(/^\/alice\/ui\/default\/network\/[\w-]{36}$/);
    await page.reload();
    await page.getByRole('article').getByText('did:parley:org/bob').first().waitFor();
    await expect.poll(() => asked).toContain('/alice/ws');
    expect(asked.filter((path) => !path.startsWith('/alice/'))).toEqual([]);
  });

  it('reloads itself if the code of a page could not be fetched', async () => {
    scene.allowFaults(/ERR_FAILED|tokens-page/);
    const page = await scene.browser.open();
    await page.route(/tokens-page/, (route) => route.abort());
    await page.goto(scene.network.addressOf('/ui/default/tokens'));
    await page.getByText('This part of the explorer could not be loaded').waitFor();
    await page.unroute(/tokens-page/);
    await page.getByRole('button', { name: 'Reload the page' }).click();
    await page.getByRole('heading', { name: 'Tokens' }).waitFor();
  });

  it('shows that its node is away, keeps its rows, and has every event once when it is back', async () => {
    scene.allowFaults(failedConnections);
    const { network } = scene;
    const page = await scene.open('events');
    const rows = page.getByRole('row').filter({ hasText: 'away' }).filter({ hasText: 'message_confirmed' });
    const before = await scene.send('{"header":{"tag":"away"},"data":[{"value":1}]}');
    await rows.filter({ hasText: before.slice(0, 8) }).waitFor();
    process.kill(await network.pidOf('alice'), 'SIGKILL');
    // The supervisor would restart it too soon.
    await network.stop('alice');
    await page.getByText('No connection to the node of alice.').waitFor();
    expect(await rows.count()).toBe(1);
    await network.startAgain('alice');
    const after = await Promise.all(
      [2, 3, 4].map((value) => scene.send(`{"header":{"tag":"away"},"data":[{"value":${value}}]}`)),
    );
    for (const id of after) await rows.filter({ hasText: id.slice(0, 8) }).waitFor();
    expect(await rows.count()).toBe(4);
    await untilLive(page);
    await page.getByText('No connection to the node of alice.').waitFor({ state: 'detached' });
    const listed = await network.get<readonly { readonly sequence: number }[]>('events?limit=200');
    const shown = await page.locator('[data-row] td:first-child').allInnerTexts();
    // A long list renders only the visible rows: here the newest.
    expect(shown.length).toBeGreaterThanOrEqual(4);
    expect(shown.map(Number)).toEqual(listed.slice(0, shown.length).map(({ sequence }) => sequence));
  });
});

/** Returns the state of a page that its URL holds: the page, its part, filters, range of time, record and search. */
function viewOf(page: Page): Promise<{ readonly url: string }> {
  return page.evaluate(`(() => {
    const all = (selector, of) => [...document.querySelectorAll(selector)].map(of);
    return {
      url: location.href,
      title: document.title,
      headings: all('h1, aside h2', ({ textContent }) => textContent),
      parts: all('main nav [aria-current="page"]', ({ textContent }) => textContent),
      filters: all('[aria-label^="Remove the filter"]', ({ ariaLabel }) => ariaLabel),
      range: all('[aria-label^="Time range"]', ({ ariaLabel }) => ariaLabel),
      record: all('article', ({ ariaLabel }) => ariaLabel),
      search: all('dialog[open][aria-label="Search"]', () => 'open'),
    };
  })()`);
}
