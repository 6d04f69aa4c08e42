import { mkdtempSync } from 'node:fs';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { createChainControl, createChainReader } from '../../../src/stack/engines/chain.js';
import { deriveAccounts, fixGenesis } from '../../../src/stack/keys/accounts.js';
import { certificateFiles, createKeys, operatorKeyFile, signingKeyFile } from '../../../src/stack/keys/keys.js';
import { layoutOf, packageFile } from '../../../src/stack/layout.js';
import { chainConfig, urlOf } from '../../../src/stack/running/node-config.js';
import { ensureContracts } from '../../../src/stack/tasks/contracts.js';
import { writeConfigFile } from '../../../src/supervisor/files/config-file.js';
import { type Child, type ChildMessage, startChild } from '../../../src/supervisor/services/process.js';
import { someSettings } from '../../unit/stack/fixtures/place.js';

const all = ['alice', 'bob'];
const both = ['erc1155', 'erc20_erc721'];

describe('The contracts of a network', () => {
  test('are deployed once, and every party is added once, however often this is requested', async () => {
    const { ensure } = await aChain();
    const first = await ensure(all);
    expect(first).toMatchObject({ chainId: 31_337, deployed: true, added: all });
    expect(await ensure(all)).toEqual({ ...first, deployed: false, added: [] });
  });

  test('are found again when their addresses were never stored', async () => {
    const { ensure, contractsFile } = await aChain();
    const first = await ensure([]);
    await rm(contractsFile);
    expect(await ensure(all)).toEqual({ ...first, deployed: false, added: all });
  });

  test('are one for each token connector, in the order of the connectors', async () => {
    const { ensure } = await aChain();
    const { tokens } = await ensure([], ['erc20_erc721', 'erc1155']);
    expect(tokens).toMatchObject([{ name: 'erc20_erc721' }, { name: 'erc1155' }]);
    const addresses = (tokens as { address: string }[]).map(({ address }) => address);
    expect(new Set(addresses).size).toBe(2);
  });

  test('get token contracts later, when the network has none yet', async () => {
    const { ensure, contractsFile } = await aChain();
    const { network } = await ensure(all, []);
    const contracts = JSON.parse(await readFile(contractsFile, 'utf8')) as object;
    await writeFile(contractsFile, JSON.stringify({ ...contracts, tokens: undefined }));
    const second = await ensure(all);
    expect(second).toMatchObject({
      network,
      deployed: false,
      added: [],
      tokens: both.map((name) => ({ name, block: expect.any(Number) as number })),
    });
    await rm(contractsFile);
    expect(await ensure(all)).toEqual({ ...second, added: [] });
  });

  test('are completed when only some of the parties have been added', async () => {
    const { ensure } = await aChain();
    await ensure(['alice']);
    expect(await ensure(all)).toMatchObject({ deployed: false, added: ['bob'] });
  });

  test('are refused on another chain than the one they were deployed on', async () => {
    const { ensure, contractsFile } = await aChain();
    await ensure([]);
    const contracts = JSON.parse(await readFile(contractsFile, 'utf8')) as object;
    await writeFile(contractsFile, JSON.stringify({ ...contracts, genesisHash: `0x${'1'.repeat(64)}` }));
    await expect(ensure(all)).rejects.toThrow('another chain');
  });

  test('leave accounts without funds until paused mining is resumed, and fund each of them once', async () => {
    const { ensure, control, reader } = await aChain();
    const first = await ensure(all);
    await control().setMining({ auto: false, intervalMs: 0 });
    const [one, other] = ['1', '2'].map((digit) => `0x${digit.repeat(40)}`) as [string, string];
    expect(await ensure(all, both, [other])).toEqual({ ...first, deployed: false, added: [] });
    expect(await ensure(all, both, [one, other])).toEqual({ ...first, deployed: false, added: [] });
    expect(await reader().balance(other)).toBe(0n);
    await control().setMining({ auto: true, intervalMs: 0 });
    expect(await reader().balance(one)).toBe(10n ** 21n);
    expect(await reader().balance(other)).toBe(10n ** 21n);
  });

  test.each([
    ['is paused', 0],
    ['waits for minutes', 600_000],
  ])('get a new party while mining %s, and mining stays so', async (_, intervalMs) => {
    const { ensure, control, reader } = await aChain();
    await ensure(['alice']);
    const mining = { auto: false, intervalMs };
    await control().setMining(mining);
    const account = `0x${'1'.repeat(40)}`;
    await ensure(['alice'], both, [account]);
    expect(await ensure(all, both, [account])).toMatchObject({ deployed: false, added: ['bob'] });
    expect(await reader().balance(account)).toBe(10n ** 21n);
    expect(await reader().mining()).toEqual(mining);
  });

  test('wait for a chain that is not reachable yet', async () => {
    const { ensure, restart } = await aChain();
    const first = await ensure([]);
    const [again] = await Promise.all([ensure(all), restart()]);
    expect(again).toMatchObject({ network: first['network'], added: all });
  });
});

async function aChain() {
  const directory = mkdtempSync(join(tmpdir(), 'parley-e2e-'));
  const layout = layoutOf(directory, { home: directory, runtimeDirectory: directory, configFile: '', environment: {} });
  const settings = someSettings();
  await createKeys(layout, settings);
  const genesis = await fixGenesis(layout, settings, await deriveAccounts(layout, settings));
  const config = { file: join(layout.run, 'chain.json'), value: chainConfig(layout, settings, genesis, undefined) };
  let { child, port } = await startChain(config, 0);
  onTestFinished(async () => {
    await child.stop(5_000);
    await rm(directory, { recursive: true, force: true });
  });
  const ensure = (
    parties: readonly string[],
    connectors = both,
    fund: readonly string[] = [],
  ): Promise<Record<string, unknown>> => {
    const task = {
      fund,
      chainUrl: urlOf(settings, 'chain', port),
      chainId: settings.chain.chainId,
      operatorKeyFile: operatorKeyFile(layout),
      contractsFile: layout.contracts,
      connectors,
      parties: settings.parties
        .filter(({ name }) => parties.includes(name))
        .map((party) => ({
          ...party,
          ...certificateFiles(layout, party.name),
          keyFile: signingKeyFile(layout, party.name),
          endpoint: `https://127.0.0.1/${party.name}`,
        })),
    };
    return ensureContracts(JSON.stringify(task), { networkLimits: {} });
  };
  const restart = async (): Promise<void> => {
    await child.stop(5_000);
    ({ child, port } = await startChain(config, port));
  };
  const control = () => createChainControl(urlOf(settings, 'chain', port));
  const reader = () => createChainReader(urlOf(settings, 'chain', port));
  return { ensure, restart, control, reader, contractsFile: layout.contracts };
}

async function startChain(
  config: { file: string; value: unknown },
  port: number,
): Promise<{ child: Child; port: number }> {
  await writeConfigFile(config, () => port);
  return new Promise((resolve, reject) => {
    const onMessage = (message: ChildMessage): void => {
      if (message.type === 'ready') void child.then((started) => resolve({ child: started, port: message.port }));
      else reject(new Error(JSON.stringify(message)));
    };
    const child = startChild({
      program: packageFile('bin/chain.js'),
      arguments: [config.file],
      environment: {},
      onMessage,
      onLine: () => undefined,
    });
    child.catch(reject);
  });
}
