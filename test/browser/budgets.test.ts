import { describe, expect, it } from 'vitest';
import { hasNoBrowser } from './fixtures/chromium.js';
import { useScene } from './fixtures/explorer.js';

/**
 * Budgets on a machine that others use too: a test fails only beyond twice the limit, and the best of some attempts
 * counts, since another program may have the processor for a while. `--reporter=verbose` shows the figures.
 */
const slack = 2;
const scene = useScene();

describe.skipIf(hasNoBrowser)('the budgets of the explorer', () => {
  it('paints within a second, and changes to a page that it has within a tenth', async ({ annotate }) => {
    await scene.send('{"header":{"tag":"paint"},"data":[{"value":1}]}');
    const paints: number[] = [];
    for (let attempt = 0; attempt < 3; attempt++) {
      const page = await scene.open('overview');
      paints.push(await page.evaluate<number>(`performance.getEntriesByName('first-contentful-paint')[0].startTime`));
    }
    const page = await scene.open('messages');
    await scene.turn(page, 'events');
    const changes = await page.evaluate<readonly number[]>(`(async () => {
      const changes = [];
      for (const name of ['Messages', 'Events', 'Messages', 'Events', 'Messages', 'Events']) {
        const startMs = performance.now();
        [...document.querySelectorAll('nav a')].find(({ textContent }) => textContent === name).click();
        const isThere = () =>
          document.querySelector('h1')?.textContent === name && document.querySelector('[data-row]') !== null;
        do await new Promise((painted) => requestAnimationFrame(painted)); while (!isThere());
        changes.push(performance.now() - startMs);
      }
      return changes;
    })()`);
    const [paintMs, changeMs] = [Math.min(...paints), Math.min(...changes)].map(Math.round);
    await annotate(`first contentful paint ${paintMs} ms, page change ${changeMs} ms`);
    expect(paintMs).toBeLessThanOrEqual(slack * 1_000);
    expect(changeMs).toBeLessThanOrEqual(slack * 100);
  });
});
