import type { Locator, Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { findingsInBothThemes } from '../fixtures/axe.js';
import { hasNoBrowser } from '../fixtures/chromium.js';
import { failedAnswers, useScene } from '../fixtures/explorer.js';
import { field } from '../fixtures/forms.js';
import { hostileTexts } from '../fixtures/hostile.js';

const scene = useScene();

function button(page: Page, name: string): Locator {
  return page.getByRole('button', { name, exact: true });
}

async function define(name: string, version: string, schema: string): Promise<void> {
  const body = `{"name":"${name}","version":"${version}","value":${schema}}`;
  await scene.network.post('datatypes?confirm', body, { status: 200 });
}

describe.skipIf(hasNoBrowser)('acting in the explorer', () => {
  it('defines a datatype by a form, and by the command that the form shows', async () => {
    const page = await scene.open('datatypes');
    await page.getByText('No datatype has been defined yet.').waitFor();
    await button(page, 'Define datatype').first().click();
    await field(page, 'Name').fill('order');
    await field(page, 'Version').fill('1.0');
    await field(page, 'Schema').fill(`{"type":"object","title":"it's",\n "required":["order"]}`);
    await page.getByRole('tab', { name: 'stack', exact: true }).click();
    const line = await page.getByRole('tabpanel').locator('pre').innerText();
    await button(page, 'Define').click();
    await page.getByRole('dialog').getByText('confirmed').waitFor();
    await button(page, 'Open').click();
    await page.getByRole('article', { name: 'Datatype order@1.0' }).waitFor();
    await scene.network.shell(line.replace('--version 1.0', '--version 1.1'));
    await page.getByLabel('Compare with version').selectOption('1.1');
    await page.getByText('Both schemas are the same.').waitFor();
  });

  it('shows versions side by side and their uses, and checks a sample', async () => {
    await define('item', '1', '{"type":"object","properties":{"n":{"type":"integer"}}}');
    await define('item', '2', '{"type":"object","properties":{"n":{"type":"string"}}}');
    const id = await scene.send('{"data":[{"datatype":{"name":"item","version":"2"},"value":{"n":"a"}}]}', {
      party: 'alice',
    });
    await scene.network.confirmed(id, 'alice');
    const page = await scene.open('datatypes');
    await page.getByRole('row').filter({ hasText: 'item' }).first().getByRole('link').click();
    await page.getByText('1 of 8 lines differ.').waitFor();
    await page.getByRole('link', { name: '1 data item' }).waitFor();
    await field(page, 'Value').fill('{"n":1}');
    await page.getByText('does not conform').waitFor();
    await field(page, 'Value').fill('{"n":"1"}');
    await page.getByText('conforms', { exact: true }).waitFor();
  });

  it('shows which of two definitions of one name and version is valid, and which has lost', async () => {
    const schemas = { bob: '{"type":"object"}', carol: '{"type":"string"}' };
    await Promise.all(
      Object.entries(schemas).map(([party, schema]) =>
        scene.network.post('datatypes', `{"name":"race","version":"1","value":${schema}}`, { party }),
      ),
    );
    const page = await scene.open('datatypes');
    await page.getByRole('row').filter({ hasText: 'race' }).getByRole('link').click();
    const list = page.getByRole('list', { name: 'Definitions' });
    await list.getByText('first on the chain').waitFor();
    await list.getByText('rejected').waitFor();
    await list.getByText('The datatype race@1 was defined before').waitFor();
  });

  it('sends a message again and replies to it, and keeps the draft that was open', async () => {
    const group = '"group":{"members":[{"identity":"bob"}]}';
    const body = `{"header":{"tag":"first","topics":["a","b"]},${group},"data":[{"value":{"n":1.0}}]}`;
    const id = await scene.send(body, { party: 'alice', path: 'send/message' });
    await scene.network.confirmed(id, 'alice');
    const page = await scene.open('compose');
    await field(page, 'Value 1').fill('"half written"');
    await page.getByRole('link', { name: 'Messages' }).click();
    await page.getByRole('row').filter({ hasText: 'first' }).getByRole('link').click();
    await button(page, 'Send again').click();
    await page.getByText('To the group').waitFor();
    expect(await field(page, 'Value 1').inputValue()).toBe('{"n":1.0}');
    expect(await field(page, 'Tag').inputValue()).toBe('first');
    expect(await field(page, 'Topics').inputValue()).toBe('a, b');
    await page.getByText('broadcast · "half written"').waitFor();
    await button(page, 'Send').click();
    await page.getByLabel('Result').getByText('confirmed', { exact: true }).waitFor();
    await page.getByLabel('Result').getByRole('link').first().click();
    await button(page, 'Reply').click();
    await field(page, 'Value 1').fill('"yes"');
    await button(page, 'Send').click();
    await page.getByLabel('Result').getByText('confirmed', { exact: true }).waitFor();
    await page.getByLabel('Result').getByRole('link').first().click();
    await page.getByRole('heading', { name: 'References' }).waitFor();
    await page.getByRole('heading', { name: 'Batch' }).waitFor();
  });

  it('starts a message to a group', async () => {
    const group = '{"header":{"tag":"grouped"},"group":{"members":[{"identity":"carol"}]},"data":[{"value":1}]}';
    const id = await scene.send(group, { party: 'alice', path: 'send/message' });
    await scene.network.confirmed(id, 'alice');
    const page = await scene.open('groups');
    await page.getByRole('row').filter({ hasText: 'carol' }).first().getByRole('link').click();
    await button(page, 'Send message').click();
    await page.getByText('To the group').waitFor();
    await page.getByRole('main').getByText('carol').waitFor();
  });

  it('registers an identity', async () => {
    const page = await scene.open('network');
    await button(page, 'Create identity').click();
    await button(page, 'Create').click();
    await page.getByText('A name has').waitFor();
    await page.getByRole('dialog').getByLabel('Name', { exact: true }).fill('shop');
    await field(page, 'Description').fill('the <b>shop</b>');
    await button(page, 'Create').click();
    await page.getByRole('dialog').getByText('confirmed').waitFor();
    await button(page, 'Open').click();
    await page.getByText('did:parley:shop').first().waitFor();
  });

  it('changes an identity, and sends as it', async () => {
    const page = await scene.open('network?f=name%3Dshop');
    await page.getByRole('row').filter({ hasText: 'did:parley:shop' }).getByRole('link').first().click();
    await page.getByRole('article').getByText('held by this node').waitFor();
    await button(page, 'Change').click();
    await field(page, 'Profile').fill('{"open": 9.0}');
    await page.getByRole('dialog').getByText('PATCH /api/v1/namespaces/default/identities/').waitFor();
    await page.getByRole('dialog').locator('form').getByRole('button', { name: 'Change' }).click();
    await page.getByRole('article').getByRole('heading', { name: 'Profile' }).waitFor();
    await page.getByRole('article').getByText('9.0').first().waitFor();
    const compose = await scene.open('compose');
    await compose.getByRole('radio', { name: /^Private/ }).check();
    await compose.getByRole('checkbox', { name: 'bob' }).check();
    await field(compose, 'Value 1').fill('"from the shop"');
    // A key that the node has created has no funds on this chain, where pins cost gas.
    await compose.getByRole('checkbox', { name: /^Unpinned/ }).check();
    await compose.getByLabel('Author', { exact: true }).selectOption('did:parley:shop');
    await button(compose, 'Send').click();
    await compose.getByLabel('Result').getByText('confirmed', { exact: true }).waitFor();
    const id = new URL(compose.url()).searchParams.get('open') ?? '';
    const { header } = await scene.network.get<{ header: { author: string } }>(`messages/${id}`);
    expect(header.author).toBe('did:parley:shop');
  });

  it('sends a request to another party, and follows its reply', async () => {
    const page = await scene.open('compose');
    await page.getByRole('radio', { name: /^Private/ }).check();
    await page.getByRole('checkbox', { name: 'bob' }).check();
    await field(page, 'Value 1').fill('"what time is it?"');
    await page.getByRole('checkbox', { name: /^Wait for a reply/ }).check();
    await field(page, 'Tag').fill('ask');
    await page.getByText('POST /api/v1/namespaces/default/messages/requestreply').waitFor();
    await button(page, 'Send').click();
    const asked = () =>
      scene.network.get<readonly { header: { id: string; group: string } }[]>('messages?tag=ask', 'bob');
    await expect.poll(async () => (await asked()).length).toBe(1);
    const { id, group } = (await asked())[0]?.header ?? { id: '', group: '' };
    const answer = `{"header":{"cid":"${id}","tag":"said"},"group":"${group}","data":[{"value":"noon"}]}`;
    const answered = await scene.send(answer, { party: 'bob', path: 'send/message' });
    await page.getByLabel('Result').getByText('confirmed', { exact: true }).waitFor();
    expect(new URL(page.url()).searchParams.get('open')).toBe(answered);
  });

  it('publishes a value to the shared store, and deletes an item that was not sent', async () => {
    const { id } = await scene.network.post<{ id: string }>('data', '{"value":"for the store"}', { status: 200 });
    const page = await scene.open(`data?open=${id}`);
    await button(page, 'Publish value').click();
    await page.getByRole('dialog').locator('form').getByRole('button', { name: 'Publish value' }).click();
    await expect.poll(() => button(page, 'Publish value').count()).toBe(0);
    await page.getByRole('article').getByText(/^Qm/).waitFor();
    await button(page, 'Delete').click();
    await page.getByRole('dialog').locator('form').getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('article').waitFor({ state: 'detached' });
    await page.getByText('for the store').waitFor({ state: 'detached' });
  });

  it('shows hostile texts of schemas, values and errors as plain text', async () => {
    const schema = JSON.stringify({
      type: 'object',
      title: hostileTexts[0],
      required: hostileTexts.slice(0, 8),
      description: hostileTexts.join('\n'),
    });
    await define('hostile', '1', schema);
    await define('hostile', '2', '{"type":"object"}');
    const page = await scene.open('datatypes?f=name%3Dhostile');
    await page.getByRole('row').filter({ hasText: 'hostile' }).first().getByRole('link').click();
    await page.getByText('lines differ.').waitFor();
    await page.getByRole('link', { name: 'Open full page' }).click();
    await page.getByLabel('Compare with version').waitFor();
    const compose = await scene.open('compose');
    await field(compose, 'Value 1').fill('{}');
    await field(compose, 'Datatype').selectOption('hostile@1');
    await compose.getByText('does not conform').waitFor();
    await field(compose, 'Value 1').fill(JSON.stringify(hostileTexts));
    await field(compose, 'Tag').fill(hostileTexts[0] ?? '');
    scene.allowFaults(failedAnswers);
    await compose.route('**/broadcast/message', (route) =>
      route.fulfill({ status: 400, body: JSON.stringify({ error: `PY1: ${hostileTexts.join(' ')}` }) }),
    );
    await field(compose, 'Tag').fill('');
    for (const tab of ['Request', 'curl', 'stack', 'SDK'])
      await compose.getByRole('tab', { name: tab, exact: true }).click();
    await button(compose, 'Send').click();
    await compose.getByText('The node answered 400').waitFor();
    for (const each of [page, compose]) {
      expect(await each.locator('img, iframe, object, embed, main script').count()).toBe(0);
      expect(await each.locator('[href^="javascript" i]').count()).toBe(0);
      expect(await each.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true);
    }
  });

  it('has forms without serious axe findings, in both themes', async () => {
    const found: string[] = [];
    const look = async (page: Page, name: string) => {
      found.push(...(await findingsInBothThemes(page)).map((each) => `${name}: ${each}`));
      await page.close();
    };
    const compose = await scene.open('compose');
    await compose.getByRole('radio', { name: /^Private/ }).check();
    await compose.getByRole('button', { name: 'Add a file' }).click();
    await compose.getByRole('button', { name: 'Add existing data' }).click();
    await field(compose, 'Value 1').fill('{');
    await compose.getByText('Not valid JSON').first().waitFor();
    await look(compose, 'compose');
    const datatypes = await scene.open('datatypes');
    await datatypes.getByRole('button', { name: 'Define datatype' }).first().click();
    await datatypes.getByRole('button', { name: 'Define', exact: true }).click();
    await look(datatypes, 'define');
    const record = await scene.open('datatypes');
    await record.getByRole('row').filter({ hasText: 'item' }).first().getByRole('link').click();
    await record.getByText('lines differ.').waitFor();
    await look(record, 'record');
    const network = await scene.open('network');
    await network.getByRole('button', { name: 'Create identity' }).click();
    await look(network, 'identity');
    expect(found).toEqual([]);
  });
});
