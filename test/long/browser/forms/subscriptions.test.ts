import { describe, expect, it } from 'vitest';
import { hasNoBrowser } from '../fixtures/chromium.js';
import { useScene } from '../fixtures/explorer.js';

const scene = useScene();

describe.skipIf(hasNoBrowser)('the subscriptions of the explorer', () => {
  it('show how far each is, and which past events it wants', async () => {
    const { network } = scene;
    const body =
      '{"name":"audit","filter":{"message":{"tag":"^keep$"}},"options":{"firstEvent":"oldest","readAhead":7}}';
    const headers = { 'content-type': 'application/json' };
    await fetch(network.addressOf('subscriptions', 'alice'), { method: 'POST', headers, body });
    const page = await scene.open('subscriptions');
    const row = page.getByRole('row').filter({ hasText: 'audit' });
    await row.getByText('message.tag=^keep$').waitFor();
    await row.getByText('none', { exact: true }).waitFor();
    const id = await scene.send('{"header":{"tag":"keep"},"data":[{"value":1}]}');
    await network.confirmed(id, 'alice');
    await row.getByRole('link').click();
    const record = page.getByRole('article');
    await record.getByText('up to sequence').waitFor();
    await record.getByRole('button', { name: 'Test filter on past events' }).click();
    await record.getByText('1 of the newest 1,000 events match.').waitFor();
  });

  it('are created and removed by forms that show their requests', async () => {
    const page = await scene.open('subscriptions');
    await page.getByRole('button', { name: 'New subscription' }).first().click();
    await page.getByRole('textbox', { name: 'Name', exact: true }).fill('by-form');
    await page.getByRole('textbox', { name: 'Tag', exact: true }).fill('^none$');
    await page.getByRole('button', { name: 'Test filter on past events' }).click();
    await page.getByText(/Matches 0 of the newest \d+ events/).waitFor();
    await page.getByRole('button', { name: 'Create', exact: true }).click();
    const record = page.getByRole('article');
    await record.getByText('message.tag=^none$').waitFor();
    await record.getByRole('button', { name: 'Change' }).click();
    const change = page.getByRole('dialog', { name: 'Change the subscription' });
    await change.getByLabel('Filter', { exact: true }).fill('{"message":{"tag":"^some$"}}');
    await change.getByText('PUT /api/v1/namespaces/default/subscriptions').waitFor();
    await change.locator('form').getByRole('button', { name: 'Change' }).click();
    await record.getByText('message.tag=^some$').waitFor();
    await record.getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete', exact: true }).click();
    await expect.poll(() => page.getByRole('row').filter({ hasText: 'by-form' }).count()).toBe(0);
  });

  it('show who is connected, including this explorer', async () => {
    const page = await scene.open('subscriptions');
    const sockets = page.getByRole('table', { name: 'Connections', exact: true });
    await sockets.getByText('ephemeral').first().waitFor();
    await sockets.getByText('events=.*').first().waitFor();
  });
});
