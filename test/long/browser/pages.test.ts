import { describe, expect, it } from 'vitest';
import { hasNoBrowser } from './fixtures/chromium.js';
import { failedAnswers, useScene } from './fixtures/explorer.js';
import { pages } from './fixtures/pages.js';

const scene = useScene();

/** A command that creates the records of a page, and the button or link for the same. */
const makers: readonly (readonly [path: string, command: string, action?: string])[] = [
  ['overview', `stack broadcast '{"hello":"world"}'`],
  ['messages', `stack broadcast '{"hello":"world"}'`, 'Compose a message'],
  ['data', 'stack data upload report.pdf', 'Upload'],
  ['datatypes', 'stack datatype define', 'Define datatype'],
  ['subscriptions', 'stack subs create my-app', 'New subscription'],
  ['groups', "stack send 'only for you' --to bob", 'Compose a message'],
  ['flow', `stack broadcast '{"hello":"world"}'`, 'Compose a message'],
  ['topics', 'stack messages list --filter state=ready'],
  ['tokens', 'stack pool create coins --type fungible', 'Create pool'],
  ['tokens/transfers', 'stack mint 100 --pool coins', 'Mint'],
  ['tokens/approvals', 'stack api POST tokens/approvals', 'Approve'],
  ['tokens/nonfungible', 'stack pool create deeds --type nonfungible', 'Mint'],
  ['tokens/operations', 'stack pool create coins --type fungible'],
  ['contracts', 'stack chain deploy Escrow.json', 'Define interface'],
  ['contracts/apis', 'stack api POST apis', 'Create API'],
  ['contracts/listeners', 'stack api POST apis/escrow/listeners/Opened', 'Listen'],
  ['contracts/events', 'stack events tail --type blockchain_event_received', 'Listen'],
  ['contracts/operations', 'stack chain deploy Escrow.json', 'Deploy'],
];

/** The elements that scroll sideways and are no tables or charts, which are regions of their own. */
const sidewaysScrollers = `[...document.querySelectorAll('html, body *')]
  .filter((each) => each.scrollWidth > each.clientWidth + 1)
  .filter((each) => each === document.documentElement || getComputedStyle(each).overflowX === 'auto')
  .filter((each) => each.getAttribute('role') !== 'region' && each.querySelector(':scope > table') === null)
  .map((each) => each.tagName + '.' + each.className)`;

describe.skipIf(hasNoBrowser)('every page of the explorer', () => {
  it('does not scroll sideways at 320 pixels, with long names in its URL or in an error either', async () => {
    const page = await scene.open('overview', { viewport: { width: 320, height: 800 } });
    const long = 'x'.repeat(64);
    const wide: [path: string, found: unknown][] = [];
    const look = async (path: string) => {
      await scene.turn(page, path);
      const found = await page.evaluate<readonly string[]>(sidewaysScrollers);
      if (found.length > 0) wide.push([path, found]);
    };
    for (const path of pages) await look(path);
    for (const path of pages) await look(`${path}?sort=${long}&cols=${long}&f=${long}&from=${long}`);
    scene.allowFaults(failedAnswers);
    const body = JSON.stringify({ error: `PY0500: ${long}` });
    await page.route('**/api/v1/**', (route) => route.fulfill({ status: 500, body }));
    await page.reload();
    for (const path of pages) await look(path);
    expect(wide).toEqual([]);
  });

  it('names its future content when empty, with the command and the button that create it', async () => {
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

  it('loads without a network, and shows new records without a reload', async () => {
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

  it('scrolls to a list of useful height on a short screen, as at a zoom of 400 %', async () => {
    await scene.send('{"data":[{"value":1}]}');
    const page = await scene.open('messages', { viewport: { width: 320, height: 256 } });
    for (const [path, label] of [
      ['messages', 'messages'],
      ['events', 'events'],
      ['network', 'identities'],
    ] as const) {
      await scene.turn(page, path);
      const list = page.getByRole('region', { name: label, exact: true });
      await list.getByRole('row').last().scrollIntoViewIfNeeded();
      const { y = 0, height = 0 } = (await list.boundingBox()) ?? {};
      expect([path, Math.min(y + height, 256) - Math.max(y, 0) > 100]).toEqual([path, true]);
    }
  });

  it('reads from its node also while the browser has no network', async () => {
    const page = await scene.open('overview');
    await page.evaluate(`dispatchEvent(new Event('offline'))`);
    await scene.turn(page, 'network');
    await page.getByRole('cell', { name: 'did:parley:org/alice', exact: true }).waitFor();
  });

  it('shows the whole text of a cell that is too narrow for it, and names what a button in a cell copies', async () => {
    const topic = 'long'.repeat(16);
    const id = await scene.send(JSON.stringify({ header: { topics: [topic] }, data: [{ value: 1 }] }));
    const page = await scene.open('messages');
    const row = page.getByRole('row').filter({ hasText: id.slice(0, 8) });
    const cell = row.getByRole('cell').filter({ hasText: topic });
    await cell.hover();
    await expect.poll(() => cell.getAttribute('title')).toBe(topic);
    const short = row.getByRole('cell').nth(1);
    await short.hover();
    await expect.poll(() => short.getAttribute('title')).toBe('');
    expect(await row.getByRole('button', { name: 'Copy the id' }).count()).toBe(1);
  });

  it('cuts a text that is read from the right at its end', async () => {
    const [first, last] = ['\u05d0'.repeat(40), '\u05ea'.repeat(40)];
    await scene.send(JSON.stringify({ data: [{ value: `${first} ${last}` }] }));
    const page = await scene.open('data', { viewport: { width: 390, height: 800 } });
    const cell = page.getByRole('cell').filter({ hasText: first });
    await cell.waitFor();
    const beyondCell = await page.evaluate<number>(`(() => {
      const [text] = [...document.querySelectorAll('td bdi')].filter((each) => each.innerText.includes('${first}'));
      const range = document.createRange();
      range.setStart(text.firstChild, 1);
      range.setEnd(text.firstChild, 2);
      return range.getBoundingClientRect().right - text.closest('td').getBoundingClientRect().right;
    })()`);
    expect(beyondCell).toBeLessThanOrEqual(0);
    await cell.hover();
    await expect.poll(() => cell.getAttribute('title')).toContain(last);
  });

  it('shows times in the same form, whatever the locale of the browser', async () => {
    await scene.send('{"header":{"tag":"locale"},"data":[{"value":1}]}');
    const page = await scene.open('messages?from=-7d', { locale: 'de-DE' });
    const chart = page.getByRole('img', { name: /messages? in 7 days/ });
    const moment = /^((\d{4}-)?\d\d-\d\d )?\d\d:\d\d:\d\d/;
    expect(await chart.locator('title').first().textContent()).toMatch(moment);
    const days = Array.from({ length: 3 }, () => expect.stringMatching(/^(\d{4}-)?\d\d-\d\d$/));
    expect((await chart.locator('text').allTextContents()).slice(2)).toEqual(days);
    await page.getByRole('button', { name: 'Show as table' }).click();
    const cells = page.getByRole('region', { name: 'Messages by time' }).getByRole('cell');
    expect(await cells.first().innerText()).toMatch(moment);
  });

  it('lists a file by its name, also if its value describes it', async () => {
    const form = new FormData();
    form.append('autometa', 'true');
    form.append('file', new Blob(['to be paid']), 'terms of payment.txt');
    await fetch(scene.network.addressOf('data'), { method: 'POST', body: form });
    const page = await scene.open('data', { viewport: { width: 390, height: 800 } });
    await page.getByRole('cell', { name: 'terms of payment.txt', exact: true }).waitFor();
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

  it('reports a slow node, and can be left', async () => {
    const page = await scene.browser.open();
    await page.clock.install();
    await page.route(/\/(api\/v1|ui\/_stack)\//, () => undefined);
    await page.goto(scene.network.addressOf('/ui/default/compose'));
    for (const path of pages) {
      const url = JSON.stringify(`/ui/default/${path}`);
      await page.evaluate(`history.pushState(null, '', ${url}); dispatchEvent(new PopStateEvent('popstate'))`);
      await page.getByRole('heading', { level: 1 }).waitFor();
      await page.clock.fastForward(6_000);
      if (path !== 'compose') await page.getByText('The node has not answered yet.').first().waitFor();
    }
  });
});
