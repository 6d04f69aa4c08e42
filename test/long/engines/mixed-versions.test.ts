import { describe, expect, test } from 'vitest';
import { previousProgram } from '../../support/previous.js';
import { isRequired } from '../../support/services.js';
import { byCommand } from '../../e2e/fixtures/stack-cli.js';
import { programFile } from '../../e2e/fixtures/cli.js';
import { type Host, isNetworkRoot, joinDev, startDev, twoHosts } from '../../e2e/fixtures/hosts.js';

const isSkipped = !isNetworkRoot || (previousProgram === undefined && !isRequired('previous'));

describe.skipIf(isSkipped)('hosts of two versions (needs root, and the previous version)', () => {
  test.each([
    ['the host of the chain first', [0, 1]],
    ['the host that has joined first', [1, 0]],
  ])('work together while they are upgraded one by one, %s', async (_, order) => {
    if (previousProgram === undefined) throw new Error('No version before this one: .ci/engines previous');
    const hosts = await twoHosts();
    for (const host of hosts) host.use(previousProgram);
    const names = await startNetwork(hosts);
    let sent = await exchange(hosts, 1);
    for (const at of order) {
      const [host, name] = [hosts[at], names[at]];
      if (host === undefined || name === undefined) throw new Error('There are two hosts.');
      host.use(programFile);
      await upgrade(host, name);
      sent = await exchange(hosts, sent);
    }
  });
});

/** Starts the stack `dev` of alice and bob on the first host, and the stack of carol, who joins, on the second. */
async function startNetwork(hosts: readonly [Host, Host]): Promise<readonly [string, string]> {
  const [first] = hosts;
  await startDev(first, 2);
  await joinDev(hosts, 'carol');
  await first.ok('pool', 'create', 'coins', '--type', 'fungible', '--wait', 'all', '-q', '-s', 'dev');
  return ['dev', 'carol'];
}

/**
 * Restarts a stack with another version; a database in an older format must be upgraded. Snapshots do not include the
 * contents of a store on another host.
 */
async function upgrade(host: Host, name: string): Promise<void> {
  const { code } = await host.ends('restart', name, '-q');
  if (code === 0) return;
  expect(code).toBe(10);
  if (name === 'dev') return void (await host.ok('upgrade', name));
  await host.ok('stop', name, '-q');
  await host.ok('upgrade', name, '--no-snapshot');
  await host.ok('start', name, '-q');
}

/**
 * Sends every kind of message in both directions. `before`: the number of carol's messages before, at first the pool's
 * own; returns the number after.
 */
async function exchange([first, second]: readonly [Host, Host], before: number): Promise<number> {
  await first.ok('broadcast', '{"to":"all"}', '-s', 'dev', '--wait', 'all');
  await first.ok('send', '{"private":1}', '--to', 'carol', '-s', 'dev');
  await first.ok('mint', '10', '--pool', 'coins', '-s', 'dev', '--wait', 'all');
  await first.ok('transfer', '3', '--pool', 'coins', '--to', 'carol', '-s', 'dev', '--message', '{"thanks":1}');
  await second.ok('broadcast', '{"from":"carol"}', '-s', 'carol', '--wait', 'local');
  await second.ok('send', '{"private":2}', '--to', 'bob', '-s', 'carol', '--wait', 'local');
  const sent = before + 5;
  await expect.poll(() => confirmedAt(second, 'carol'), byCommand).toBe(sent);
  await expect
    .poll(() => second.ok('balances', '--pool', 'coins', '--key', 'carol', '-s', 'carol', '-q'), byCommand)
    .toBe(String(((sent - 1) / 5) * 3));
  await first.ok('wait', '--for', 'idle', '-s', 'dev');
  return sent;
}

async function confirmedAt(host: Host, stack: string): Promise<number> {
  const out = await host.ok('messages', 'list', '-s', stack, '--all', '--filter', 'state=confirmed', '-q');
  return out.split('\n').filter((line) => line !== '').length;
}
