import { describe, expect, it } from 'vitest';
import { findingsInBothThemes } from '../fixtures/axe.js';
import { hasNoBrowser } from '../fixtures/chromium.js';
import { allPaths } from '../fixtures/content.js';
import { failedAnswers, useScene } from '../fixtures/explorer.js';
import { hostileAnswer } from '../fixtures/hostile.js';

const scene = useScene();
let paths: Promise<readonly string[]> | undefined;

describe.skipIf(hasNoBrowser)('every page of the explorer, and every kind of record', () => {
  it('shows texts of other parties as plain text in every field, without side effects', async () => {
    // The node has no records by the hostile names.
    scene.allowFaults(failedAnswers);
    const page = await scene.browser.open();
    await page.route('**/api/v1/**', hostileAnswer);
    await page.goto(scene.network.addressOf('/ui/default/overview'));
    paths ??= allPaths(scene);
    for (const path of await paths) {
      await scene.turn(page, path);
      expect([path, await page.locator('img, iframe, object, embed, main script').count()]).toEqual([path, 0]);
      expect([path, await page.locator('[href^="javascript" i]').count()]).toEqual([path, 0]);
      expect([path, await page.evaluate('document.documentElement.scrollWidth <= innerWidth')]).toEqual([path, true]);
      expect([path, await page.getByText('Something went wrong on this page').count()]).toEqual([path, 0]);
    }
  });

  it('has no serious axe findings, in both themes', async () => {
    const found: string[] = [];
    const page = await scene.open('overview', { colorScheme: 'light' });
    paths ??= allPaths(scene);
    for (const path of await paths) {
      await scene.turn(page, path);
      found.push(...(await findingsInBothThemes(page)).map((each) => `${path}: ${each}`));
    }
    expect(found).toEqual([]);
  });
});
