import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { parseAllDocuments } from 'yaml';
import { composePrograms, hasNoCompose } from '../../support/docker.js';
import { freePortBase } from '../../support/port-base.js';
import { type Composed, composedNetwork } from '../../e2e/fixtures/composed.js';
import { doesItsWork } from '../../e2e/fixtures/scenario/scenario.js';
import { createStackCli, type StackCli } from '../../e2e/fixtures/stack-cli.js';

/** Time limit for a machine that also runs other work. */
const maxMs = 15 * 60_000;

describe.skipIf(hasNoCompose)('an exported compose file (needs Docker and docker-compose)', () => {
  test.each(composePrograms)('boots the same network with %s, which works', { timeout: maxMs }, async (program) => {
    const cli = await aStoppedStack();
    const before = await variables(cli);
    const network = await booted(cli, [], { program });
    expect((await stat(join(cli.directory, 'out', 'keys', 'alice', 'signing'))).mode & 0o777).toBe(0o600);
    const contracts = await readFile(join(cli.directory, 'out', 'network', 'contracts.json'), 'utf8');
    expect(JSON.parse(contracts)).toMatchObject({ network: { address: before.STACK_NETWORK_CONTRACT } });
    await cli.ok('export', 'kubernetes', '-s', 'dev', '-o', join(cli.directory, 'manifests'));
    const known = await knownContracts(join(cli.directory, 'manifests', 'network.yaml'));
    const { tokens, ...rest } = JSON.parse(contracts) as Contracts;
    expect(known).toEqual({ ...rest, tokens: tokens.map((token) => ({ ...token, block: 1 })) });
    await doesItsWork(network, []);
  });

  test('includes the history, and requires the same credentials', async () => {
    const cli = await aStoppedStack('--set', 'auth.enabled=true', '--set', `tokens.pools=[${pool}]`);
    const network = await booted(cli, ['--data'], { hasAuth: true });
    expect(await network.ok('messages', 'list', '--filter', 'tag=before', '-q', '-p', 'bob')).not.toBe('');
    await network.ok('send', '{"after":"it"}', '--to', 'bob', '--wait', 'all');
    expect(await network.ok('balances', '--pool', 'coins', '--key', 'bob', '-q')).toBe('7');
    const { STACK_ALICE_URL: url } = await variables(cli);
    expect(await cli.ends('messages', 'list', '--url', url)).toMatchObject({
      said: expect.stringContaining('--auth-file'),
    });
  });
});

const pool = '{name: coins, type: fungible, balances: {bob: "7"}}';

interface Contracts {
  readonly tokens: readonly object[];
}

/** Returns the contracts listed in manifests, which tell nodes what no job can. */
async function knownContracts(file: string): Promise<unknown> {
  const configMap = parseAllDocuments(await readFile(file, 'utf8'))[0]?.toJS() as ConfigMap;
  return JSON.parse(configMap.data['contracts-known.json']);
}

interface ConfigMap {
  readonly data: { readonly 'contracts-known.json': string };
}

interface Variables {
  readonly STACK_NETWORK_CONTRACT: string;
  readonly STACK_ALICE_URL: string;
}

async function variables(cli: StackCli): Promise<Variables> {
  return JSON.parse(await cli.ok('env', '-s', 'dev', '--format', 'json')) as Variables;
}

/** Returns a stack of alice and bob that ran, has a message, and is stopped. */
async function aStoppedStack(...words: readonly string[]): Promise<StackCli> {
  const cli = createStackCli('default');
  onTestFinished(() => cli.remove());
  await cli.ok('init', 'dev', '-n', '2', '-q', '--port-base', await freePortBase(), ...words);
  await cli.ok('start', 'dev', '-q');
  await cli.ok('broadcast', '{"before":"it"}', '--tag', 'before', '--wait', 'all');
  await cli.ok('stop', 'dev', '-q');
  return cli;
}

/** Returns the exported network, with all its services healthy. */
async function booted(
  cli: StackCli,
  words: readonly string[],
  { program = composePrograms[0] ?? '', hasAuth = false } = {},
): Promise<Composed> {
  const directory = join(cli.directory, 'out');
  const exported = (await cli.okJson('export', 'compose', '-s', 'dev', '-o', directory, ...words)) as Exported;
  await cli.ok('image', 'build');
  const network = composedNetwork(cli, { directory, urls: exported.urls, program, hasAuth });
  onTestFinished(async () => void (await network.compose('down', '--volumes', '--timeout', '5')));
  await network.compose('up', '-d');
  await network.healthy();
  return network;
}

interface Exported {
  readonly urls: Readonly<Record<string, string>>;
}
