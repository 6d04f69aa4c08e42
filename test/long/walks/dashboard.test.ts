import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { connect } from 'node:tls';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { startWebhookTarget } from '../../support/webhook-target.js';
import { createStackCli } from '../../e2e/fixtures/stack-cli.js';

const file = fileURLToPath(new URL('../../../docs/dashboard.json', import.meta.url));

test('Every metric of the dashboard is exported by a node that has had something to count', async () => {
  const cli = createStackCli('default');
  onTestFinished(() => cli.remove());
  const target = await startWebhookTarget();
  onTestFinished(() => target.goDown());
  await cli.start();
  const [url, peer] = await Promise.all([cli.ok('port', 'alice'), cli.ok('port', 'alice', '--peer')]);
  await cli.ok('config', 'set', 'webhooks.allow=[127.0.0.0/8]');
  await cli.ok('start', 'dev', '-q');
  await cli.ok('subs', 'create', 'hook', '--endpoint', target.url, '-p', 'alice');
  await cli.ok('broadcast', '{"a":1}', '--wait', 'all');
  await cli.ok('send', '{"a":1}', '--to', 'bob', '--wait', 'all');
  await cli.ok('pool', 'create', 'coins', '--type', 'fungible', '--wait', 'all');
  await cli.ok('mint', '9', '--pool', 'coins', '--wait', 'all');
  await cli.ok('transfer', '2', '--pool', 'coins', '--to', 'bob', '--wait', 'all');
  await cli.ok('burn', '1', '--pool', 'coins', '--wait', 'all');
  await strangerAt(Number(peer));
  const text = await readFile(file, 'utf8');
  const named = [...new Set([...text.matchAll(/\b(?:ff|parley)_[a-z_]+[a-z]/g)].map(([name]) => name))];
  expect(named.length).toBeGreaterThan(15);
  const missing = async () => {
    const metrics = await (await fetch(`http://127.0.0.1:${url}/metrics`)).text();
    return named.filter((name) => !new RegExp(`^${name}[ {]`, 'm').test(metrics));
  };
  await expect.poll(missing).toEqual([]);
});

/** Sends a request as an unknown peer, which the node refuses. */
async function strangerAt(port: number): Promise<void> {
  const socket = connect({ host: '127.0.0.1', port, rejectUnauthorized: false });
  socket.on('error', () => undefined);
  await once(socket, 'close');
}
