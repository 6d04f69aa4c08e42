import { createHash, randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { hasNoBrowser } from '../fixtures/chromium.js';
import { failedAnswers, failedConnections, useScene } from '../fixtures/explorer.js';
import { field } from '../fixtures/forms.js';

const megabyte = 1024 * 1024;
const scene = useScene();

async function openCompose(): Promise<Page> {
  const page = await scene.open('compose');
  await page.getByRole('button', { name: 'Send' }).waitFor();
  return page;
}

/** Returns the id of the message that a page follows, once it is confirmed. */
async function confirmedOn(page: Page): Promise<string> {
  await page.getByLabel('Result').getByText('confirmed', { exact: true }).waitFor();
  return new URL(page.url()).searchParams.get('open') ?? '';
}

/** Returns the text of a tab of the preview. */
async function previewOn(page: Page, tab: string): Promise<string> {
  await page.getByRole('tab', { name: tab, exact: true }).click();
  return page.getByRole('tabpanel').locator('pre').innerText();
}

/** Returns the parts of a message that its sender determines. */
async function contentOf(id: string): Promise<unknown> {
  const message = await scene.network.get<{ header: Record<string, unknown> }>(`messages/${id}`);
  const data = await scene.network.get<readonly { readonly hash: string }[]>(`messages/${id}/data`);
  const { tag, topics, type, txtype, group, author } = message.header;
  return { tag, topics, type, txtype, group, author, hashes: data.map(({ hash }) => hash) };
}

describe.skipIf(hasNoBrowser)('composing a message', () => {
  it('sends two values and a file of 20 MB to one party, and the third gets nothing of it', async () => {
    const bytes = randomBytes(20 * megabyte);
    const page = await openCompose();
    await page.getByRole('radio', { name: /^Private/ }).check();
    await page.getByRole('checkbox', { name: 'bob' }).check();
    await page.getByText('New group: ').waitFor();
    await field(page, 'Value 1').fill('{"b":1.0, "a":12345678901234567890}');
    await page.getByRole('button', { name: 'Add a value' }).click();
    await field(page, 'Value 2').fill('"between us two"');
    await page.getByRole('button', { name: 'Add a file' }).click();
    const file = { name: 'plan.bin', mimeType: 'application/octet-stream', buffer: bytes };
    await field(page, 'File 3').setInputFiles(file);
    await page.getByText('uploaded as').waitFor();
    await page.getByRole('button', { name: 'Send' }).click();
    const id = await confirmedOn(page);
    await scene.network.confirmed(id, 'bob');

    const atBob = await scene.open(`messages/${id}`, { party: 'bob' });
    await atBob.getByText('between us two').waitFor();
    const coming = atBob.waitForEvent('download');
    await atBob.getByRole('link', { name: 'Download' }).click();
    const download = await coming;
    expect(download.suggestedFilename()).toBe('plan.bin');
    const saved = await readFile(await download.path());
    expect(createHash('sha256').update(saved).digest('hex')).toBe(createHash('sha256').update(bytes).digest('hex'));

    scene.allowFaults(failedAnswers);
    const atCarol = await scene.open(`messages/${id}`, { party: 'carol' });
    await atCarol.getByText('Message not found').waitFor();
    for (const path of ['messages', 'data', 'groups']) {
      const list = await scene.open(path, { party: 'carol' });
      await list.getByRole('heading', { level: 1 }).waitFor();
      await list.waitForLoadState('networkidle');
      expect(await list.content()).not.toMatch(/plan\.bin|between us two/);
      await list.close();
    }
  });

  it.each(['curl', 'stack'])('shows a %s command that sends an equal message from a shell', async (tab) => {
    const page = await openCompose();
    await page.getByRole('radio', { name: /^Private/ }).check();
    await page.getByRole('checkbox', { name: 'bob' }).check();
    await page.getByRole('checkbox', { name: 'carol' }).check();
    await field(page, 'Value 1').fill(`{"it's":"\\"$HOME\\" \`id\` !x",\n "n":12345678901234567890}`);
    await page.getByRole('button', { name: 'Add a value' }).click();
    await field(page, 'Value 2').fill('-1.0');
    await page.getByRole('button', { name: 'Add a value' }).click();
    await field(page, 'Format').nth(2).selectOption('Text');
    await field(page, 'Value 3').fill("--it's a text");
    await field(page, 'Topics').fill('one, two');
    await field(page, 'Tag').fill('equal');
    await page.getByRole('button', { name: 'Copy the request' }).click();
    const line = await previewOn(page, tab);
    // The button belongs to the command now, which has not been copied.
    expect(await page.getByRole('button', { name: `Copy the ${tab} command` }).count()).toBe(1);
    await page.getByRole('button', { name: 'Send' }).click();
    const id = await confirmedOn(page);
    await page.getByRole('button', { name: 'New message' }).click();
    expect(await page.locator('form').getByRole('status').count()).toBe(0);
    const made = await scene.network.shell(line);
    const other = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/.exec(made)?.[0] ?? made;
    expect(other).not.toBe(id);
    expect(await contentOf(other)).toEqual(await contentOf(id));
  });

  it('works with the keyboard alone: search, open, copy, compose, send, close', async () => {
    const id = await scene.send('{"header":{"tag":"keys"},"data":[{"value":1}]}');
    await scene.network.confirmed(id, 'alice');
    const page = await scene.open('overview');
    const { keyboard } = page;
    const path = () => new URL(page.url()).pathname;
    const opened = () => new URL(page.url()).searchParams.get('open');
    await keyboard.press('g');
    await keyboard.press('m');
    await page.getByRole('row').filter({ hasText: 'keys' }).waitFor();
    await keyboard.press('j');
    await expect.poll(() => page.evaluate('document.activeElement?.closest("tr")?.dataset.row')).toBe('0');
    await keyboard.press('Enter');
    await expect.poll(opened).toBe(id);
    await keyboard.press('Escape');
    await expect.poll(opened).toBe(null);
    await keyboard.press('/');
    await page.getByRole('combobox', { name: 'Search' }).waitFor();
    await keyboard.type(id);
    await keyboard.press('Enter');
    await expect.poll(opened).toBe(id);
    await page.getByRole('article').getByText(id).waitFor();
    await keyboard.press('c');
    await expect.poll(() => page.evaluate('navigator.clipboard.readText()')).toBe(id);
    await keyboard.press('Escape');
    await expect.poll(opened).toBe(null);
    await keyboard.press('n');
    await expect.poll(path).toBe('/ui/default/compose');
    await field(page, 'Value 1').waitFor();
    await expect.poll(() => page.evaluate('document.activeElement?.tagName')).toBe('TEXTAREA');
    await keyboard.type('{"typed":true}');
    await page.getByRole('tabpanel').getByText('"value":{"typed":true}').waitFor();
    await keyboard.press('Control+Enter');
    await confirmedOn(page);
    await keyboard.press('Escape');
    await expect.poll(opened).toBe(null);
  });

  it('makes every control reachable by Tab, and selectable by arrows and space', async () => {
    const page = await openCompose();
    const { keyboard } = page;
    const focused = () =>
      page.evaluate<string>(
        `(({ labels, ariaLabel, textContent, tagName } = document.activeElement) =>
          labels?.[0]?.textContent || ariaLabel || textContent || tagName)()`,
      );
    await page.getByRole('radio', { name: /^Broadcast/ }).focus();
    await keyboard.press('ArrowDown');
    await page.getByRole('checkbox', { name: 'bob' }).waitFor();
    const seen: string[] = [];
    for (let step = 0; step < 40 && !seen.includes('Send'); step++) {
      await keyboard.press('Tab');
      seen.push(await focused());
      if (seen.at(-1) === 'carol') await keyboard.press('Space');
      if (seen.at(-1) === 'Value 1') await keyboard.type('"by keys"');
    }
    expect(seen).toEqual(
      expect.arrayContaining(
        [
          'bob',
          'carol',
          'Other recipients',
          'Value 1',
          'Format',
          'Datatype',
          'Remove Value 1',
          'Add a file',
          'Topics',
          'Tag',
          'Idempotency key',
          'Unpinned',
          'Request',
          'Send',
        ].map((label) => expect.stringContaining(label) as string),
      ),
    );
    await keyboard.press('Enter');
    const id = await confirmedOn(page);
    expect(await contentOf(id)).toMatchObject({ type: 'private' });
  });

  it('shows what is wrong with a value while it is typed, by JSON syntax and by its datatype', async () => {
    const schema = '{"type":"object","required":["order"],"properties":{"order":{"type":"integer"}}}';
    await scene.network.post('datatypes?confirm', `{"name":"order","version":"1.0","value":${schema}}`, {
      status: 200,
    });
    const page = await openCompose();
    const value = field(page, 'Value 1');
    await value.fill('{"order":');
    // The preview of the request shows it too.
    await page.getByText('Not valid JSON: it ends too early at line 1, column 10.').first().waitFor();
    expect(await value.getAttribute('aria-invalid')).toBe('true');
    await field(page, 'Datatype').selectOption('order@1.0');
    await value.fill('{"order":"x"}');
    await page.getByText('does not conform').waitFor();
    await page.getByText('/order').waitFor();
    await value.fill('{"order":17}');
    await page.getByText('conforms', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Send' }).click();
    await confirmedOn(page);
  });

  it.each([
    ['a refusal', 400, '{"error":"PY1005: <b>no</b>"}'],
    ['a failure', 500, 'not even JSON'],
  ])('shows %s in place, and loses nothing of what was typed', async (_, status, body) => {
    const page = await openCompose();
    scene.allowFaults(failedAnswers);
    await page.route('**/broadcast/message', (route) => route.fulfill({ status, body }));
    await field(page, 'Value 1').fill('{"kept":1}');
    await field(page, 'Tag').fill('kept');
    await page.getByRole('button', { name: 'Send' }).click();
    await page.getByText(`The node answered ${status}`).waitFor();
    expect(await field(page, 'Value 1').inputValue()).toBe('{"kept":1}');
    await page.reload();
    expect(await field(page, 'Value 1').inputValue()).toBe('{"kept":1}');
    expect(await field(page, 'Tag').inputValue()).toBe('kept');
    await page.unroute('**/broadcast/message');
    await page.getByRole('button', { name: 'Send' }).click();
    await confirmedOn(page);
  });

  it('keeps what was typed while the node is away, and sends it when it is back', async () => {
    const page = await openCompose();
    await field(page, 'Value 1').fill('{"away":1}');
    scene.allowFaults(failedConnections);
    const back = scene.network.kill('alice');
    await page.getByRole('button', { name: 'Send' }).click();
    const isSent = page.getByLabel('Result').getByText('confirmed', { exact: true }).waitFor();
    const isRefused = page.getByText('The node does not answer').waitFor();
    await Promise.race([isSent, isRefused]);
    await back;
    expect(await field(page, 'Value 1').inputValue()).toBe('{"away":1}');
    if (!page.url().includes('open=')) await page.getByRole('button', { name: 'Send' }).click();
    await confirmedOn(page);
  });
});
