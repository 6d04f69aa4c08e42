import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { hasNoBrowser } from './fixtures/chromium.js';
import { failedConnections, useScene } from './fixtures/explorer.js';

const scene = useScene();

/** Opens the list of messages with the record of one of them. */
async function openRecord(viewport: { readonly width: number; readonly height: number }): Promise<Page> {
  const id = await scene.send('{"header":{"tag":"record"},"data":[{"value":1}]}');
  await scene.network.confirmed(id, 'alice');
  const page = await scene.browser.open({ viewport });
  await page.goto(scene.network.addressOf(`/ui/default/messages?open=${id}`));
  await page.getByRole('article', { name: `Message ${id}` }).waitFor();
  return page;
}

describe.skipIf(hasNoBrowser)('windows and records of the explorer', () => {
  it('keep the focus visible while a record covers the page', async () => {
    const page = await openRecord({ width: 800, height: 700 });
    const places: unknown[] = [];
    for (let step = 0; step < 30; step++) {
      await page.keyboard.press('Tab');
      places.push(
        await page.evaluate(`(({ activeElement: at }) =>
          at === document.body || at.closest('aside') !== null || at.outerHTML.slice(0, 120))(document)`),
      );
    }
    expect(places.filter((place) => place !== true)).toEqual([]);
  });

  it.each([
    ['beside the list', 1_280],
    ['that cover the list', 800],
  ])('keep the focus while the keys turn records %s', async (_, width) => {
    for (const value of [1, 2]) await scene.send(`{"header":{"tag":"turn"},"data":[{"value":${value}}]}`);
    const page = await openRecord({ width, height: 800 });
    const focused = () =>
      page.evaluate(`(({ activeElement: at }) =>
      at.closest('aside') === null ? at.closest('tr')?.dataset.row : 'panel')(document)`);
    const press = async (key: string, expected: string) => {
      await page.keyboard.press(key);
      await expect.poll(focused, { message: key }).toBe(expected);
    };
    const isCovered = width < 900;
    await press('Escape', '0');
    await press('Enter', isCovered ? 'panel' : '0');
    await press(']', isCovered ? 'panel' : '1');
    await press(']', isCovered ? 'panel' : '2');
    await page.getByRole('article').getByRole('button', { name: 'Copy' }).first().focus();
    await press('[', 'panel');
    await press('Escape', '1');
  });

  it('close one at a time on Escape', async () => {
    const page = await openRecord({ width: 1_280, height: 800 });
    await page.getByRole('button', { name: 'Columns' }).click();
    const choice = page.getByRole('checkbox', { name: 'Author' });
    await choice.waitFor();
    await page.keyboard.press('Escape');
    await choice.waitFor({ state: 'hidden' });
    expect(await page.getByRole('article').count()).toBe(1);
    await page.keyboard.press('Escape');
    await expect.poll(() => page.getByRole('article').count()).toBe(0);
  });

  it('include the list of pages on a narrow screen, which takes the focus and gives it back', async () => {
    const page = await scene.open('events', { viewport: { width: 390, height: 800 } });
    const focused = () => page.evaluate(`(({ activeElement: at }) => at.ariaLabel ?? at.innerText)(document)`);
    const list = page.getByRole('navigation', { name: 'Pages' });
    await page.getByRole('button', { name: 'Pages', exact: true }).press('Enter');
    await expect.poll(focused).toBe('Events');
    await page.keyboard.press('Escape');
    await expect.poll(focused).toBe('Pages');
    await list.waitFor({ state: 'hidden' });
    await page.keyboard.press('Enter');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Messages' }).waitFor();
    await expect.poll(focused).toBe('Pages');
  });

  it('return the focus to where the search was started', async () => {
    const page = await scene.open('overview');
    const button = page.getByRole('button', { name: 'Search' });
    await button.focus();
    await page.keyboard.press('Enter');
    await page.getByRole('combobox', { name: 'Search' }).waitFor();
    await page.keyboard.press('Escape');
    const focused = () => page.evaluate(`document.activeElement.getAttribute('aria-label')`);
    await expect.poll(focused).toBe('Search');
  });

  it('stay open when a press that began in a window ends outside, and close on a click outside', async () => {
    const page = await scene.open('data');
    await page.getByRole('button', { name: 'Upload' }).first().click();
    const window = page.getByRole('dialog', { name: 'Upload a file' });
    const box = await window.boundingBox();
    if (box === null) throw new Error('The window is not there.');
    await page.mouse.move(box.x + 40, box.y + 80);
    await page.mouse.down();
    await page.mouse.move(box.x - 60, box.y + 90, { steps: 4 });
    await page.mouse.up();
    expect(await window.isVisible()).toBe(true);
    await page.mouse.click(box.x - 60, box.y + 90);
    await window.waitFor({ state: 'hidden' });
  });

  it('announce once that the node is away, not every second', async () => {
    scene.allowFaults(failedConnections);
    const page = await scene.browser.open();
    let isAway = false;
    await page.routeWebSocket(/\/ws\?/, async (socket) => {
      if (isAway) return socket.close();
      socket.connectToServer();
      await page.getByText('live', { exact: true }).waitFor();
      isAway = true;
      await socket.close();
    });
    await page.goto(scene.network.addressOf('/ui/default/overview'));
    const alert = page.getByRole('alert').filter({ hasText: 'No connection' });
    await alert.waitFor();
    expect(await alert.innerText()).toBe('No connection to the node of alice.');
  });
});
