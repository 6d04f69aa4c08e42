import type { Locator, Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { findingsInBothThemes } from '../fixtures/axe.js';
import { hasNoBrowser } from '../fixtures/chromium.js';
import { failedAnswers, useScene } from '../fixtures/explorer.js';
import { openForm } from '../fixtures/forms.js';

const scene = useScene();

/** Returns the row of a pool in the list of the page. */
function poolRow(page: Page, name: string) {
  return page.getByRole('region', { name: 'pools' }).getByRole('row').filter({ hasText: name });
}

describe.skipIf(hasNoBrowser)('the tokens of the explorer', () => {
  it('are created, minted, transferred and burned by forms, and balances follow at every party', async () => {
    const page = await scene.open('tokens');
    const bobs = await scene.open('tokens', { party: 'bob' });
    const form = await openForm(page, 'Create pool');
    await form.getByLabel('Name', { exact: true }).fill('coins');
    await form.getByLabel('Symbol').fill('<b>COIN</b>');
    await form.getByRole('button', { name: 'Create pool' }).click();
    await form.getByText('TokenPool').waitFor();
    await page.keyboard.press('Escape');
    await poolRow(bobs, 'coins').getByText('active').waitFor();

    const mint = await openForm(page, 'Mint');
    await mint.getByLabel('Pool').selectOption('coins');
    await mint.getByLabel('Amount').fill('12345678901234567890');
    await mint.getByText('"amount":"12345678901234567890"').waitFor();
    await mint.getByRole('tab', { name: 'stack' }).click();
    await mint.getByText('stack mint 12345678901234567890 --pool coins -s dev -p alice').waitFor();
    await mint.getByRole('button', { name: 'Mint' }).click();
    await mint.getByText('TokenTransfer').waitFor();
    await page.keyboard.press('Escape');
    await poolRow(page, 'coins').getByText('12 345 678 901 234 567 890').first().waitFor();
    await poolRow(bobs, 'coins').getByText('12 345 678 901 234 567 890').first().waitFor();

    const transfer = await openForm(page, 'Transfer');
    await transfer.getByLabel('Pool').selectOption('coins');
    await transfer.getByLabel('Amount').fill('890');
    await transfer.getByLabel('To', { exact: true }).fill('bob');
    await transfer.getByLabel('Message', { exact: true }).fill('{"for": "your help"}');
    await transfer.getByRole('checkbox', { name: 'bob' }).check();
    await transfer.getByRole('button', { name: 'Transfer' }).click();
    await transfer.getByText('TokenTransfer').waitFor();
    await page.keyboard.press('Escape');
    await poolRow(page, 'coins').getByText('12 345 678 901 234 567 000').waitFor();
    await poolRow(bobs, 'coins').getByText('890', { exact: true }).waitFor();

    const burn = await openForm(bobs, 'Burn');
    await burn.getByLabel('Pool').selectOption('coins');
    await burn.getByLabel('Amount').fill('90');
    await burn.getByRole('button', { name: 'Burn' }).click();
    await burn.getByText('TokenTransfer').waitFor();
    await poolRow(page, 'coins').getByText('800', { exact: true }).waitFor();
  });

  it('show large amounts beside a list and in the overview without breaking names', async () => {
    const mint = JSON.stringify({ pool: 'coins', amount: '123456789012345678901234567890' });
    await scene.network.post('tokens/mint?confirm', mint, { status: 200 });
    const page = await scene.open('tokens');
    await poolRow(page, 'coins').getByRole('link').first().click();
    const row = page.getByRole('table', { name: 'Transfers' }).getByRole('row').filter({ hasText: 'mint' }).first();
    const heightOf = async (each: Locator) => (await each.boundingBox())?.height;
    expect(await heightOf(row)).toBeLessThan(40);
    await page.setViewportSize({ width: 1_024, height: 800 });
    await scene.turn(page, 'overview');
    const supply = page.getByRole('table', { name: 'Token supply' }).getByRole('row').filter({ hasText: 'coins' });
    expect(await heightOf(supply)).toBeLessThan(40);
  });

  it('show with a message the failed operation for which it was cancelled', async () => {
    const mint = JSON.stringify({ pool: 'coins', amount: '1', message: { data: [{ value: 1 }] } });
    const { message } = await scene.network.post<{ message: string }>('tokens/mint', mint, { party: 'bob' });
    const page = await scene.open(`messages?open=${message}`, { party: 'bob' });
    await page.getByText(/token_transfer has failed: .*NotCreator/).waitFor();
    expect(await page.getByText('will not follow').count()).toBe(6);
    await scene.turn(page, `flow/${message}`);
    await page
      .getByRole('link', { name: /^Sealed/ })
      .getByText('cancelled')
      .waitFor();
  });

  it('have transfers whose message is shown only to its recipients', async () => {
    for (const party of ['bob', 'carol']) {
      const page = await scene.open('tokens/transfers?f=type=transfer', { party });
      await page.getByRole('region', { name: 'transfers' }).getByRole('link', { name: 'transfer' }).click();
      const record = page.getByRole('article');
      if (party === 'bob') {
        await record.getByText('"your help"').waitFor();
        await record.getByText('alice, bob').waitFor();
      } else {
        await record.getByText('This node does not have the message').waitFor();
        expect(await page.content()).not.toContain('your help');
      }
    }
  });

  it('show next to the form why the contract refused, and keep the input', async () => {
    const page = await scene.open('tokens', { party: 'carol' });
    const form = await openForm(page, 'Transfer');
    await form.getByLabel('Pool').selectOption('coins');
    await form.getByLabel('Amount').fill('1x');
    await form.getByText('digits').first().waitFor();
    await form.getByLabel('Amount').fill('5');
    scene.allowFaults(failedAnswers);
    await form.getByLabel('To', { exact: true }).fill('nobody-at-all');
    await form.getByRole('button', { name: 'Transfer' }).click();
    await form.getByRole('alert').waitFor();
    expect(await form.getByLabel('Amount').inputValue()).toBe('5');
    await page.keyboard.press('Escape');
    await openForm(page, 'Transfer');
    expect(await form.getByLabel('To', { exact: true }).inputValue()).toBe('nobody-at-all');
    await form.getByLabel('To', { exact: true }).fill('alice');
    await form.getByRole('button', { name: 'Transfer' }).click();
    await form.getByText('Failed').first().waitFor();
  });

  it('have forms without serious axe findings, in both themes', async () => {
    const page = await scene.open('tokens');
    for (const name of ['Create pool', 'Transfer', 'Approve']) {
      const form = await openForm(page, name);
      await form.getByRole('button', { name: 'More fields' }).click();
      expect(await findingsInBothThemes(page)).toEqual([]);
      await page.keyboard.press('Escape');
    }
  });

  it('that are non-fungible have an owner and a history', async () => {
    const { network } = scene;
    await network.post('tokens/pools?confirm', '{"name":"deeds","type":"nonfungible"}', { status: 200 });
    const page = await scene.open('tokens/nonfungible');
    await network.post('tokens/mint', '{"pool":"deeds","amount":"2","to":"bob","uri":"<img src=x onerror=alert(1)>"}');
    await page.getByRole('row').filter({ hasText: '#2' }).getByText('bob').waitFor();
    await page.getByRole('link', { name: '#2' }).click();
    await page.getByRole('article').getByText('<img src=x onerror=alert(1)>').first().waitFor();
    expect(await page.locator('main img').count()).toBe(0);
    const bobs = await scene.open('tokens', { party: 'bob' });
    const form = await openForm(bobs, 'Transfer');
    await form.getByLabel('Pool').selectOption('deeds');
    await form.getByLabel('Token', { exact: true }).fill('2');
    await form.getByLabel('To', { exact: true }).fill('carol');
    await form.getByRole('button', { name: 'Transfer' }).click();
    await page.getByRole('article').getByText('carol').first().waitFor();
    await page.getByRole('article').getByRole('link', { name: 'transfer' }).waitFor();
    scene.allowFaults(failedAnswers);
    await scene.turn(page, 'tokens/nonfungible/0b1c2d3e-4f50-4a6b-8c7d-0123456789ab.1');
    await page.getByText('Pool not found').waitFor();
  });

  it('have operators that a form approves and revokes', async () => {
    const page = await scene.open('tokens/approvals');
    const form = await openForm(page, 'Approve');
    await form.getByLabel('Pool').selectOption('coins');
    await form.getByLabel('Operator', { exact: true }).fill('bob');
    await form.getByRole('button', { name: 'Approve' }).click();
    await form.getByText('TokenApproval').waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('row').filter({ hasText: 'bob' }).getByText('approved').first().waitFor();
  });

  it('have operations that are retried together with their messages', async () => {
    const message = '"message":{"header":{"tag":"paid"},"data":[{"value":"for lunch"}]}';
    await scene.network.post('tokens/transfers', `{"pool":"coins","amount":"7","to":"bob",${message}}`, {
      party: 'carol',
    });
    const page = await scene.open('tokens/operations', { party: 'carol' });
    const failed = page.getByRole('row').filter({ hasText: 'Failed' }).first();
    // On a phone too, the list says what each operation does.
    await page.setViewportSize({ width: 390, height: 800 });
    await failed.getByText('token_transfer').waitFor();
    await page.setViewportSize({ width: 1_280, height: 800 });
    await failed.getByRole('link').click();
    const { [0]: paid } = await scene.network.get<readonly { header: { id: string } }[]>('messages?tag=paid', 'carol');
    const id = paid?.header.id ?? '';
    await page.goto(scene.network.addressOf(`/ui/default/messages/${id}`, 'carol'));
    await page.getByText('cancelled').first().waitFor();
    await scene.network.post('tokens/transfers?confirm', '{"pool":"coins","amount":"7","to":"carol"}', { status: 200 });
    await page.getByRole('list', { name: 'Operations' }).getByRole('button', { name: 'Retry' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.locator('form').getByRole('button', { name: 'Retry' }).click();
    await dialog.getByText('Succeeded').waitFor();
    await page.keyboard.press('Escape');
    await page.getByText('confirmed', { exact: true }).first().waitFor();
    await scene.network.confirmed(id, 'bob');
  });

  it('have pools that are published and deleted while only this node has them', async () => {
    for (const name of ['mine', 'gone']) {
      await scene.network.post('tokens/pools?publish=false&confirm', `{"name":"${name}","type":"fungible"}`, {
        status: 200,
      });
    }
    const page = await scene.open('tokens');
    await poolRow(page, 'mine').getByRole('link').first().click();
    const publish = await openForm(page, 'Publish');
    await publish.getByLabel('Network name').fill('ours');
    await publish.locator('form').getByRole('button', { name: 'Publish' }).click();
    await page.getByRole('article').getByText('all parties', { exact: true }).waitFor();
    const bobs = await scene.open('tokens', { party: 'bob' });
    await poolRow(bobs, 'ours').waitFor();
    await poolRow(page, 'gone').getByRole('link').first().click();
    await page.getByRole('article').getByText('this node only', { exact: true }).waitFor();
    const deletion = await openForm(page, 'Delete');
    await deletion.locator('form').getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('article').waitFor({ state: 'detached' });
    await poolRow(page, 'mine').waitFor();
    await poolRow(page, 'gone').waitFor({ state: 'detached' });
  });

  it('have approvals with a message for its recipients', async () => {
    const page = await scene.open('tokens/approvals');
    const form = await openForm(page, 'Approve');
    await form.getByLabel('Pool').selectOption('coins');
    await form.getByLabel('Operator', { exact: true }).fill('carol');
    await form.getByLabel('Message', { exact: true }).fill('on my behalf');
    await form.getByRole('checkbox', { name: 'carol' }).check();
    await form.getByRole('button', { name: 'Approve' }).click();
    await form.getByText('TokenApproval').waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('row').filter({ hasText: 'carol' }).first().getByRole('link').first().click();
    await page.getByRole('article').getByText('on my behalf').waitFor();
    await page.getByRole('article').getByText('alice, carol').waitFor();
  });
});
