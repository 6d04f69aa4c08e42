import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { type Anvil, hasNoAnvil, richKey, startAnvil } from '../../support/anvil.js';
import { freePortBase } from '../../support/port-base.js';
import { byCommand, createStackCli, type StackCli } from '../../e2e/fixtures/stack-cli.js';

describe.skipIf(hasNoAnvil)('a stack on a chain that others run (needs Anvil)', () => {
  test('is not affected by blocks that are removed within the confirmations', async () => {
    const anvil = await aChain(['--block-time', '1']);
    const cli = await aStack(anvil, ['chain.confirmations=4']);
    await cli.ok('start', 'dev', '-q', '--timeout', '2m');
    const sent: string[] = [];
    for (let round = 0; round < 3; round += 1) {
      sent.push(await cli.ok('broadcast', `{"round":${round}}`, '--no-wait', '-q'));
      await anvil.ask('anvil_reorg', 2, []);
    }
    for (const id of sent) {
      for (const party of ['alice', 'bob']) {
        await expect.poll(() => stateOf(cli, id, party), byCommand).toBe('confirmed');
      }
    }
    // Its newest blocks, which have no confirmations yet, are not remaining work.
    await cli.ok('wait', '--for', 'idle', '--timeout', '20s');
    const { state, services } = (await cli.okJson('status', 'dev')) as Status;
    expect(state).toBe('running');
    expect(services.map(({ restarts }) => restarts)).toEqual(services.map(() => 0));
  });

  test('stops with one sentence when more blocks are removed, and does not restart by itself', async () => {
    const anvil = await aChain(['--block-time', '1']);
    const cli = await aStack(anvil, ['chain.confirmations=1']);
    await cli.ok('start', 'dev', '-q', '--timeout', '2m');
    await cli.ok('broadcast', '{"soon":"gone"}', '--wait', 'all');
    await anvil.ask('anvil_reorg', 8, []);
    const nodes = async () => {
      const { services } = (await cli.okJson('status', 'dev')) as Status;
      return services.filter(({ kind }) => kind === 'node').map(({ state, final }) => ({ state, final }));
    };
    await expect.poll(nodes, byCommand).toEqual([
      { state: 'failed', final: true },
      { state: 'failed', final: true },
    ]);
    const { said } = await cli.ends('status', 'dev');
    expect(said).toContain('reorganised below what this node has read');
  });

  test('names a key with funds for few batches in its status', async () => {
    const anvil = await aChain([]);
    const cli = await aStack(anvil, ['chain.final=true']);
    await cli.ok('start', 'dev', '-q');
    expect(await cli.okJson('status', 'dev')).toMatchObject({ lowFunds: [] });
    const { env } = (await cli.okJson('status', 'dev')) as { readonly env: Readonly<Record<string, string>> };
    const address = env['STACK_BOB_ADDRESS'] ?? '';
    await anvil.ask('anvil_setBalance', address, `0x${(10n ** 13n).toString(16)}`);
    const { lowFunds } = (await cli.okJson('status', 'dev')) as { readonly lowFunds: readonly object[] };
    expect(lowFunds).toEqual([{ owner: 'bob', address, batches: expect.any(Number) as number }]);
    expect((await cli.ends('status', 'dev')).said).toContain(`send ${address} some ether`);
  });

  test('takes its contracts from the definition, and only the operator adds members', async () => {
    const anvil = await aChain([]);
    const first = await aStack(anvil, ['chain.final=true']);
    await first.ok('start', 'dev', '-q');
    const { contracts } = (await first.okJson('status', 'dev')) as { contracts: { network: { address: string } } };
    const named = [`chain.contracts={network: "${contracts.network.address}"}`, 'chain.final=true'];
    const stranger = await aStack(anvil, named);
    const refused = await stranger.ends('start', 'dev');
    expect(refused).toMatchObject({ code: 10, said: expect.stringContaining('chain.operatorKey') });
    const reset = await stranger.ends('reset', 'dev', '--yes');
    expect(reset).toMatchObject({ code: 2, said: expect.stringContaining('chain.contracts') });
  });

  test('lists the keys that need funds, waits for them, and reports when they do not come', async () => {
    const anvil = await aChain([]);
    const cli = await aStack(anvil, ['chain.final=true'], { hasFunder: false });
    const checked = await cli.ends('config', 'validate', '--online', '-s', 'dev');
    expect(checked).toMatchObject({ code: 9, said: expect.stringContaining('chain.funder') });
    const late = await cli.ends('start', 'dev', '--timeout', '1s');
    expect(late).toMatchObject({ code: 9, said: expect.stringContaining('chain.funder') });
    const starting = cli.begin(['start', 'dev', '--timeout', '2m']);
    await expect.poll(starting.err).toContain('send at least');
    for (const [address] of starting.err().matchAll(/0x[0-9a-f]{40}/g)) {
      await anvil.ask('anvil_setBalance', address, `0x${(10n ** 18n).toString(16)}`);
    }
    expect(await starting.ended).toMatchObject({ code: 0 });
  });

  test.each([
    [['chain.chainId=5'], 10, 'chain.chainId'],
    [['chain.contracts={network: "0x0000000000000000000000000000000000000001"}'], 10, 'chain.contracts.network'],
    [['chain.url=http://127.0.0.1:9'], 9, 'chain.url'],
    [['chain.ws=ws://127.0.0.1:9'], 9, 'chain.ws'],
    [['chain.operatorKey=file:nothing'], 9, 'chain.operatorKey'],
  ])('refuses %j at once with exit code %i, naming %s', async (sets, code, setting) => {
    const cli = await aStack(await aChain([]), ['chain.final=true', ...sets]);
    for (const words of [
      ['config', 'validate', '--online', '-s', 'dev'],
      ['start', 'dev'],
    ]) {
      expect(await cli.ends(...words)).toMatchObject({ code, said: expect.stringContaining(setting) });
    }
  });

  test('has no control of mining and time, and no snapshots', async () => {
    const cli = await aStack(await aChain([]), ['chain.final=true']);
    await cli.ok('start', 'dev', '-q');
    expect(await cli.ends('chain', 'mine')).toMatchObject({ code: 2 });
    expect(await cli.ends('snapshot', 'save', 'one')).toMatchObject({ code: 2 });
    expect(await cli.okJson('chain', 'info')).toMatchObject({ chainId: 31_337, mining: null, journal: null });
  });
});

interface Status {
  readonly state: string;
  readonly services: readonly {
    readonly kind: string;
    readonly state: string;
    readonly restarts: number;
    readonly final: boolean;
  }[];
}

/** Returns the state of a message at a party; undefined if it has not arrived yet. */
async function stateOf(cli: StackCli, id: string, party: string): Promise<string | undefined> {
  const { code, out } = await cli.run(['messages', 'get', id, '-p', party, '--json']);
  return code === 0 ? (JSON.parse(out) as { readonly state: string }).state : undefined;
}

async function aChain(words: readonly string[]): Promise<Anvil> {
  const anvil = await startAnvil(words);
  onTestFinished(() => anvil.stop());
  return anvil;
}

/** Creates a stack of two parties on a chain; `PLACE` in the settings is the chain's host and port. */
async function aStack(anvil: Anvil, sets: readonly string[], { hasFunder = true } = {}): Promise<StackCli> {
  const cli = createStackCli('default');
  onTestFinished(() => cli.remove());
  const funder = join(cli.directory, 'funder');
  await writeFile(funder, `${richKey}\n`, { mode: 0o600 });
  const all = [...(hasFunder ? [`chain.funder=file:${funder}`] : []), ...sets];
  const flags = all.flatMap((set) => ['--set', set.replace('PLACE', `127.0.0.1:${anvil.port}`)]);
  await cli.ok('init', 'dev', '-n', '2', '-q', '--port-base', await freePortBase(), '--chain', anvil.url, ...flags);
  return cli;
}
