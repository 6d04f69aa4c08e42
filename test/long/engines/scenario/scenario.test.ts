import { describe, test } from 'vitest';
import { doesItsWork } from '../../../e2e/fixtures/scenario/scenario.js';
import { networks } from './networks.js';

const maxMs = 15 * 60_000;

describe('the same work is done, and nothing is lost while each part is away,', () => {
  for (const { on, needs, isSkipped, start } of networks) {
    const title = needs === undefined ? `on ${on}` : `on ${on} (needs ${needs})`;
    test.skipIf(isSkipped)(title, { timeout: maxMs }, async () => {
      const { users, parts } = await start();
      await doesItsWork(users, parts);
    });
  }
});
