import { afterAll, beforeAll, expect, test } from 'vitest';
import { freePortBase } from '../../support/port-base.js';
import { createStackCli } from '../../e2e/fixtures/stack-cli.js';

const cli = createStackCli('minimal');
/** For nodes, chain and store one web page each that may call it, with the setting that allows it. */
const pages = [
  { service: 'alice', setting: 'cors.origins', page: 'http://node.example' },
  { service: 'chain', setting: 'chain.cors.origins', page: 'http://chain.example' },
  { service: 'store', setting: 'store.cors.origins', page: 'http://store.example' },
];

beforeAll(async () => {
  const lists = pages.map(({ setting, page }) => `--set=${setting}=["${page}"]`);
  await cli.ok('init', 'dev', '-t', 'minimal', '--port-base', await freePortBase(), '-q', ...lists);
  await cli.ok('start', 'dev', '-q');
});
afterAll(() => cli.remove());

test.each(pages)('$service lets only the web pages of its own list call it', async ({ service, page: own }) => {
  const url = `http://127.0.0.1:${await cli.ok('port', service)}/`;
  for (const { page } of pages) {
    const headers = { origin: page, 'access-control-request-method': 'POST' };
    const answer = await fetch(url, { method: 'OPTIONS', headers });
    expect([page, answer.headers.get('access-control-allow-origin')]).toEqual([page, page === own ? page : null]);
  }
});
