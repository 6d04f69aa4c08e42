import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { escrow } from '../../../support/escrow.js';
import { findingsInBothThemes } from '../fixtures/axe.js';
import { hasNoBrowser } from '../fixtures/chromium.js';
import { failedAnswers, useScene } from '../fixtures/explorer.js';
import { openForm } from '../fixtures/forms.js';

const least = '9007199254740993';
const keeper = `0x${'aa'.repeat(20)}`;
const hostile = '"><img src=x onerror=alert(1)>\u202Etxt';
const scene = useScene();

/** Returns the compiled contract in Hardhat's format. */
function artifactFile() {
  const { abi, bytecode } = escrow();
  const text = JSON.stringify({ contractName: 'Escrow', abi, bytecode });
  return { name: 'Escrow.json', mimeType: 'application/json', buffer: Buffer.from(text) };
}

/** The output of solc for interfaces, which have no code. */
function interfacesFile() {
  const contracts = { 'a.sol': { IOwned: { abi: [] }, IEscrow: { abi: [] } } };
  const buffer = Buffer.from(JSON.stringify({ contracts }));
  return { name: 'output.json', mimeType: 'application/json', buffer };
}

/** Opens the form of a method or event of the shown record. */
async function openMember(page: Page, signature: string, button: 'Call' | 'Listen') {
  await page.getByRole('listitem').filter({ hasText: signature }).getByRole('button', { name: button }).click();
  return page.getByRole('dialog');
}

describe.skipIf(hasNoBrowser)('the contracts of the explorer', () => {
  it('are deployed, described, named, called and listened to by forms', async () => {
    const page = await scene.open('contracts');
    const deploy = await openForm(page, 'Deploy');
    await deploy.getByLabel('Compiled contract').setInputFiles(artifactFile());
    await deploy.getByLabel('keeper_').fill(keeper);
    await deploy.getByLabel('least_').fill('1.5');
    await deploy.getByText('Enter a whole number in digits').waitFor();
    await deploy.getByLabel('least_').fill(least);
    await deploy.getByRole('tab', { name: 'stack' }).click();
    const command = `stack chain deploy Escrow.json --contract Escrow ${keeper} ${least} -s dev -p alice`;
    await deploy.getByText(command).waitFor();
    await deploy.locator('form').getByRole('button', { name: 'Deploy' }).click();
    await deploy.getByText('Contract address:').waitFor();
    const address = await deploy.getByText(/^0x[0-9a-f]{40}$/).innerText();
    await page.keyboard.press('Escape');

    const define = await openForm(page, 'Define interface');
    await define.getByLabel('Compiled contract or ABI').setInputFiles(interfacesFile());
    await define.getByLabel('Contract', { exact: true }).selectOption('a.sol:IEscrow');
    await expect.poll(() => define.getByLabel('Name', { exact: true }).inputValue()).toBe('IEscrow');
    await define.getByLabel('Compiled contract or ABI').setInputFiles(artifactFile());
    await define.getByText('POST /api/v1/namespaces/default/contracts/interfaces').waitFor();
    await define.locator('form').getByRole('button', { name: 'Define interface' }).click();
    await page.getByRole('article').getByRole('heading', { name: 'Methods · 7' }).waitFor();

    const name = await openForm(page, 'Create API');
    await name.getByLabel('Name', { exact: true }).fill('escrow');
    await name.getByLabel('Interface', { exact: true }).selectOption('Escrow 1.0');
    await name.getByLabel('Address', { exact: true }).fill(address);
    await name.locator('form').getByRole('button', { name: 'Create API' }).click();
    await page.getByRole('article').getByRole('heading', { name: 'Events · 2' }).waitFor();

    const listen = await openMember(page, 'Opened(', 'Listen');
    await listen.getByLabel('Topic', { exact: true }).fill('escrow');
    await listen.locator('form').getByRole('button', { name: 'Listen' }).click();
    await listen.getByText('No events yet').waitFor();
    await page.keyboard.press('Escape');

    const call = await openMember(page, 'open(address seller, (string', 'Call');
    await call.getByLabel('seller', { exact: true }).fill(keeper);
    await call.getByLabel('terms', { exact: true }).fill(JSON.stringify([{ text: hostile, weights: ['1', '2'] }]));
    await call.getByLabel('Value', { exact: true }).fill(least);
    await call.getByText(`"options":{"value":"${least}"}`).waitFor();
    await call.locator('form').getByRole('button', { name: 'Invoke' }).click();
    await call.getByText('Succeeded').first().waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('table', { name: 'Contract events' }).getByRole('link', { name: 'Opened' }).waitFor();

    const find = await openMember(page, 'find(', 'Call');
    await find.getByLabel('number', { exact: true }).fill('1');
    await find.locator('form').getByRole('button', { name: 'Query' }).click();
    const answer = find.getByRole('region', { name: 'Answer' });
    await answer.getByText(`"${least}"`).waitFor();
    await answer.getByText('<img src=x onerror=alert(1)>').waitFor();
    expect(await page.locator('main img').count()).toBe(0);
    await page.keyboard.press('Escape');

    await page.keyboard.press('/');
    await page.keyboard.type(address);
    await page.getByRole('group', { name: 'Contract listeners' }).getByText('Opened(').waitFor();
    const apis = page.getByRole('group', { name: 'Contract APIs at the address' });
    await apis.getByRole('option', { name: 'escrow' }).click();
    await page.getByRole('article', { name: 'Contract API escrow' }).waitFor();
  });

  it('show next to the form why a call is refused, and keep the input', async () => {
    const page = await scene.open('contracts/apis?open=escrow');
    const find = await openMember(page, 'find(', 'Call');
    scene.allowFaults(failedAnswers);
    await find.getByLabel('number', { exact: true }).fill('99');
    await find.locator('form').getByRole('button', { name: 'Query' }).click();
    await find.getByText('DealUnknown(99)').waitFor();
    expect(await find.getByLabel('number', { exact: true }).inputValue()).toBe('99');
    await find.getByLabel('Type of call', { exact: true }).selectOption('invoke');
    await find.locator('form').getByRole('button', { name: 'Invoke' }).click();
    await find.getByText('Failed').first().waitFor();
  });

  it('are visible to the other parties, who call and listen to them too', async () => {
    const page = await scene.open('contracts/apis?open=escrow', { party: 'bob' });
    const listen = await openMember(page, 'Opened(', 'Listen');
    await listen.getByLabel('Topic', { exact: true }).fill('of-bob');
    await listen.locator('form').getByRole('button', { name: 'Listen' }).click();
    await listen.getByRole('link', { name: 'Opened' }).waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('link', { name: 'Listeners' }).click();
    await page.getByRole('region', { name: 'listeners' }).getByText('following').waitFor();
  });

  it('send a message with a call, and retry a failed call', async () => {
    const page = await scene.open('contracts/apis?open=escrow');
    const release = await openMember(page, 'release(', 'Call');
    await release.getByLabel('number', { exact: true }).fill('99');
    await release.getByRole('button', { name: 'Attach message' }).click();
    await release.getByLabel('Message', { exact: true }).fill('{"for":"the deal"}');
    await release.getByLabel('Tag of the message').fill('with-call');
    await release.getByRole('checkbox', { name: 'bob' }).check();
    await release.locator('form').getByRole('button', { name: 'Invoke' }).click();
    await release.getByText('DealUnknown(99)').first().waitFor();
    const { [0]: cancelled } = await scene.network.get<readonly { header: { id: string } }[]>('messages?tag=with-call');
    const record = await scene.open(`messages/${cancelled?.header.id}`);
    await record.getByText('cancelled').first().waitFor();
    const operations = record.getByRole('list', { name: 'Operations' });
    await operations.getByText('DealUnknown(99)').waitFor();
    await operations.getByRole('button', { name: 'Retry' }).click();
    await record.getByRole('dialog').getByRole('tab', { name: 'SDK' }).click();
    await record.getByRole('dialog').getByText('firefly.retryOperation(').waitFor();
    await record.getByRole('dialog').locator('form').getByRole('button', { name: 'Retry' }).click();
    await record.getByRole('dialog').getByText('Failed').waitFor();
    await record.keyboard.press('Escape');
    await operations.getByText('retried as').waitFor();
  });

  it('are changed, published and deleted while only this node has them', async () => {
    const methods = '"methods":[{"name":"go","params":[],"returns":[]}]';
    const kept = `{"name":"kept","version":"1",${methods}}`;
    const { id } = await scene.network.post<{ readonly id: string }>('contracts/interfaces', kept);
    await scene.network.post('apis', `{"name":"mine","interface":{"id":"${id}"}}`);
    const page = await scene.open('contracts/apis?open=mine');
    const change = await openForm(page, 'Change');
    await change.getByLabel('Name', { exact: true }).fill('ours');
    await change.getByText('PUT /api/v1/namespaces/default/apis/').waitFor();
    await change.locator('form').getByRole('button', { name: 'Change' }).click();
    await page.getByRole('article', { name: 'Contract API ours' }).waitFor();
    const early = await openForm(page, 'Publish');
    await early.locator('form').getByRole('button', { name: 'Publish' }).click();
    await early.getByText('is not published').first().waitFor();
    await page.keyboard.press('Escape');
    for (const path of [`contracts?open=${id}`, 'contracts/apis?open=ours']) {
      await page.goto(scene.network.addressOf(`/ui/default/${path}`));
      const publish = await openForm(page, 'Publish');
      await publish.locator('form').getByRole('button', { name: 'Publish' }).click();
      await page.getByRole('article').getByText('all parties', { exact: true }).waitFor();
      expect(await page.getByRole('article').getByRole('button', { name: 'Delete' }).count()).toBe(0);
    }
    await scene.network.post('apis', `{"name":"gone","interface":{"id":"${id}"}}`);
    await page.goto(scene.network.addressOf('/ui/default/contracts/apis?open=gone'));
    const deletion = await openForm(page, 'Delete');
    await deletion.locator('form').getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('article').waitFor({ state: 'detached' });
    await page.getByRole('row').filter({ hasText: 'ours' }).waitFor();
    await page.getByRole('row').filter({ hasText: 'gone' }).waitFor({ state: 'detached' });
    // The browser itself records each error response.
    expect(scene.browser.faults().filter((fault) => !/status of 4/.test(fault))).toEqual([]);
  });

  it('are listened to at any address by their interface', async () => {
    const page = await scene.open('contracts?f=name=Escrow');
    await page.getByRole('row').filter({ hasText: 'Escrow' }).getByRole('link').first().click();
    const listen = await openMember(page, 'Opened(', 'Listen');
    await listen.getByLabel('Topic', { exact: true }).fill('anywhere');
    await listen.getByText('POST /api/v1/namespaces/default/contracts/listeners').waitFor();
    await listen.locator('form').getByRole('button', { name: 'Listen' }).click();
    await listen.getByRole('table', { name: 'Contract events' }).getByText('Opened').first().waitFor();
  });

  it('show names of other parties as plain text', async () => {
    const body = JSON.stringify({ name: 'odd', version: '1', description: hostile, methods: [], events: [] });
    const { id } = await scene.network.post<{ readonly id: string }>('contracts/interfaces', body);
    const page = await scene.open(`contracts/interfaces/${id}`);
    await page.getByText('<img src=x onerror=alert(1)>').first().waitFor();
    expect(await page.locator('main img').count()).toBe(0);
  });

  it('have no serious axe findings, in both themes', async () => {
    const page = await scene.open('contracts/apis?open=escrow');
    await page.getByRole('heading', { name: 'Events · 2' }).waitFor();
    expect(await findingsInBothThemes(page)).toEqual([]);
    await openMember(page, 'open(address seller, (string', 'Call');
    expect(await findingsInBothThemes(page)).toEqual([]);
    await page.keyboard.press('Escape');
    await openForm(page, 'Define interface');
    expect(await findingsInBothThemes(page)).toEqual([]);
  });
});
