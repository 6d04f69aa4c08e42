import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { richKey } from '../../support/anvil.js';
import { type Geth, hasNoGeth, startGeth } from '../../support/geth.js';
import { freePortBase } from '../../support/port-base.js';
import { byCommand, createStackCli, type StackCli } from '../../e2e/fixtures/stack-cli.js';

/** The address of the key with funds. */
const rich = '0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266';

describe.skipIf(hasNoGeth)('a stack on geth (needs geth)', () => {
  test('is not affected when the head of the chain is set back within the confirmations', async () => {
    const { cli, geth } = await aStackOnGeth(['--set', 'chain.confirmations=5']);
    const id = await cli.ok('broadcast', '{"before":"the head is set back"}', '--no-wait', '-q');
    const head = Number(await geth.ask<string>('eth_blockNumber'));
    await geth.ask('debug_setHead', `0x${(head - 2).toString(16)}`);
    await cli.ok('broadcast', '{"after":"the head was set back"}', '--wait', 'all', '--timeout', '2m');
    await expect
      .poll(() => cli.okJson('messages', 'get', id, '-p', 'bob'), byCommand)
      .toMatchObject({ state: 'confirmed' });
    expect(await cli.okJson('status', 'dev')).toMatchObject({ state: 'running' });
  });
});

describe.skipIf(hasNoGeth)('a chain that removes more blocks than its confirmations (needs geth)', () => {
  test('stops every node with one sentence, and each message is there again once each node is rebuilt', async () => {
    const { cli, geth } = await aStackOnGeth(['--set', 'chain.confirmations=1']);
    const kept = await cli.ok('broadcast', '{"kept":true}', '--wait', 'all', '-q');
    await cli.ok('pool', 'create', 'coins', '--type', 'fungible', '--wait', 'all', '--timeout', '1m');
    const last = await geth.ask<string>('eth_blockNumber');
    const gone = [
      await cli.ok('broadcast', '{"gone":"with its block"}', '--wait', 'all', '-q'),
      await cli.ok('send', '{"secret":true}', '--to', 'bob', '--wait', 'all', '-q'),
    ];
    await cli.ok('mint', '100', '--pool', 'coins', '--wait', 'all');
    await geth.ask('debug_setHead', last);
    for (const party of parties) {
      await expect
        .poll(() => serviceOf(cli, party), byCommand)
        .toMatchObject({ state: 'failed', message: expect.stringContaining(`stack node rebuild ${party}`) });
    }
    for (const party of parties) await cli.ok('node', 'rebuild', party, '--yes');
    for (const party of parties) {
      await cli.ok('wait', '--for', `message=${kept}`, '-p', party);
      for (const id of gone) await cli.ok('wait', '--for', `message=${id}`, '-p', party, '--timeout', '2m');
      const balance = () => cli.ok('balances', '--pool', 'coins', '--key', 'alice', '-p', party, '-q');
      await expect.poll(balance, byCommand).toBe('100');
    }
    await cli.ok('broadcast', '{"after":"all of it"}', '--wait', 'all', '--timeout', '1m');
    await cli.ok('expect', 'order', 'same', 'on', 'all');
    expect(await cli.okJson('status', 'dev')).toMatchObject({ state: 'running' });
  });
});

const parties = ['alice', 'bob'];

/** Returns a service of a stack as `stack status` shows it. */
async function serviceOf(cli: StackCli, name: string): Promise<unknown> {
  const { services } = (await cli.okJson('status', 'dev')) as { readonly services: readonly { name: string }[] };
  return services.find((service) => service.name === name);
}

/** Returns a running stack of two parties on a new geth, with further words of `init`. */
async function aStackOnGeth(words: readonly string[]): Promise<{ readonly cli: StackCli; readonly geth: Geth }> {
  const geth = await startGeth(rich);
  onTestFinished(() => geth.stop());
  const cli = createStackCli('default');
  onTestFinished(() => cli.remove());
  const funder = join(cli.directory, 'funder');
  await writeFile(funder, `${richKey}\n`, { mode: 0o600 });
  const sets = ['--set', `chain.funder=file:${funder}`, '--set', `chain.ws=${geth.ws}`];
  const base = await freePortBase();
  await cli.ok('init', 'dev', '-n', '2', '-q', '--port-base', base, '--chain', geth.url, ...sets, ...words);
  await cli.ok('config', 'validate', '--online', '-s', 'dev');
  await cli.ok('start', 'dev', '-q', '--timeout', '2m');
  return { cli, geth };
}
