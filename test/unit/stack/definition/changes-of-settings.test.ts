import { describe, expect, test } from 'vitest';
import { type TSchema } from '@sinclair/typebox';
import { changeText, noteSettings, reviewChanges } from '../../../../src/stack/definition/changes.js';
import type { StackSettings } from '../../../../src/stack/definition/definition.js';
import { parseStackFile } from '../../../../src/stack/definition/stack-file.js';
import { StackError } from '../../../../src/stack/error.js';
import type { Layout } from '../../../../src/stack/layout.js';
import { StackDefinition } from '../../../../src/stack/settings/definition-schema.js';
import { readJsonFile, writeJsonFile } from '../../../../src/supervisor/files/json-file.js';
import { makeDirectory } from '../../../../src/supervisor/files/private-file.js';
import { Type } from '@sinclair/typebox';
import { aLayout, aPlace } from '../fixtures/place.js';

type Part = Readonly<Record<string, unknown>>;

const url = { provider: 'url', url: 'http://chain.example:8545' };
const ipfs = { provider: 'ipfs', api: 'http://store.example:5001' };
const postgres = { provider: 'postgres', url: 'file:address' };
const network = `0x${'1'.repeat(40)}`;
const others = { bind: '192.0.2.1', auth: { enabled: true } };
const docker = { runtime: 'docker' };

function onChain(more: Part): readonly [Part, Part] {
  return [{ chain: { ...url, ...more } }, { chain: url }];
}

/** For each setting a definition with it, and one that differs only in this setting. */
const settings: Readonly<Record<string, readonly [given: Part, without?: Part]>> = {
  profile: [{ profile: 'firefly' }],
  runtime: [docker],
  'docker.services': [{ ...docker, docker: { services: ['chain'] } }, docker],
  'docker.image': [{ ...docker, docker: { image: 'parley' } }, docker],
  bind: [{ bind: '::1' }],
  advertise: [{ ...others, advertise: 'host.example' }, others],
  'tls.cert': [{ tls: { cert: 'file:cert', key: 'file:key' } }],
  'tls.key': [{ tls: { cert: 'file:cert', key: 'file:key' } }, { tls: { cert: 'file:cert', key: 'file:other' } }],
  trustedNetwork: [{ ...others, trustedNetwork: true }, others],
  copy: [{ copy: '0123456789abcdef' }],
  parties: [{ parties: ['alice', 'bob', 'carol'] }],
  namespaces: [{ namespaces: ['default', 'more'] }],
  'chain.provider': [{ chain: { provider: 'anvil' } }],
  'chain.url': [{ chain: url }],
  'chain.ws': onChain({ ws: 'ws://chain.example:8546' }),
  'chain.confirmations': onChain({ confirmations: 7 }),
  'chain.final': onChain({ final: true }),
  'chain.contracts.network': onChain({ contracts: { network } }),
  'chain.contracts.tokens': [
    { chain: { ...url, contracts: { network, tokens: { erc1155: network } } } },
    { chain: { ...url, contracts: { network } } },
  ],
  'chain.operatorKey': onChain({ operatorKey: 'file:operator' }),
  'chain.funder': onChain({ funder: 'file:funder' }),
  'chain.authFile': onChain({ authFile: 'file:auth' }),
  'chain.fees.maxGwei': onChain({ fees: { maxGwei: 9 } }),
  'chain.fees.tipGwei': onChain({ fees: { tipGwei: 2 } }),
  'chain.chainId': onChain({ chainId: 7 }),
  'chain.genesisTime': [{ chain: { genesisTime: '2027-01-01T00:00:00Z' } }],
  'chain.mining': [{ chain: { mining: { intervalMs: 500 } } }],
  'chain.allowRevert': [{ chain: { allowRevert: true } }],
  'chain.cors.origins': [{ chain: { cors: { origins: ['http://a'] } } }],
  'store.provider': [{ store: ipfs }],
  'store.api': [{ store: ipfs }],
  'store.gateway': [{ store: { ...ipfs, gateway: 'http://gate.example' } }, { store: ipfs }],
  'store.authFile': [{ store: { ...ipfs, authFile: 'file:auth' } }, { store: ipfs }],
  'store.cors.origins': [{ store: { cors: { origins: ['http://a'] } } }],
  'database.provider': [{ database: postgres }],
  'database.url': [{ database: postgres }],
  'database.schema': [
    { parties: ['alice'], database: { ...postgres, schema: 'own' } },
    { parties: ['alice'], database: postgres },
  ],
  'tokens.connectors': [{ tokens: { connectors: [{ name: 'erc1155' }, { name: 'erc20_erc721' }] } }],
  'tokens.pools': [{ tokens: { pools: [{ name: 'coins', type: 'fungible' }] } }],
  'keys.source': [{ keys: { source: 'test' } }],
  'accounts.spare': [{ accounts: { spare: 7 } }],
  'auth.enabled': [{ auth: { enabled: true } }],
  'spi.enabled': [{ spi: { enabled: true } }],
  'webhooks.allow': [{ webhooks: { allow: ['10.0.0.0/8'] } }],
  hosts: [{ hosts: ['host.example'] }],
  'cors.origins': [{ cors: { origins: ['http://a'] } }],
  'ports.base': [{ ports: { base: 20_000 } }],
  'ports.nodes': [{ ports: { base: 20_000, nodes: 21_000 } }, { ports: { base: 20_000 } }],
  'restart.max': [{ restart: { max: 7 } }],
  'restart.windowMs': [{ restart: { windowMs: 7_000 } }],
  'limits.minFreeDisk': [{ limits: { minFreeDisk: 7 } }],
  'limits.maxBlobBytes': [{ limits: { maxBlobBytes: 7 } }],
  'limits.maxUnpinnedBytes': [{ limits: { maxUnpinnedBytes: 7 } }],
  'batch.maxMessages': [{ batch: { maxMessages: 7 } }],
  'batch.maxBytes': [{ batch: { maxBytes: 7_000 } }],
  'batch.paceMs': [{ batch: { paceMs: 7 } }],
  'logs.level': [{ logs: { level: 'debug' } }],
  'logs.maxBytes': [{ logs: { maxBytes: 70_000 } }],
  'logs.maxFiles': [{ logs: { maxFiles: 7 } }],
};

/** Settings that only commands use, and no service. */
const commandSettings = ['apiVersion', 'name', 'template', 'seed', 'hooks.ready', 'hooks.stop'];

describe('Every setting', () => {
  test('is in this test, or only commands use it', () => {
    expect([...Object.keys(settings), ...commandSettings].sort()).toEqual(leavesOf(StackDefinition).sort());
  });

  test.each(Object.entries(settings))('%s counts as changed when it is added and when it is removed', async (_, of) => {
    const [given, without] = [parsed(of[0]), parsed(of[1] ?? {})];
    expect(await changesBetween(without, given)).not.toEqual([]);
    expect(await changesBetween(given, without)).not.toEqual([]);
    expect(await changesBetween(given, given)).toEqual([]);
  });
});

describe('A setting without a default', () => {
  test('is taken over when it is added or removed, and shown with its former value', async () => {
    const texts = async (before: Part, after: Part) =>
      (await reviewChanges(await startedWith(parsed(before)), parsed(after))).map(changeText);
    expect(await texts({}, docker)).toEqual(['runtime: process → docker']);
    expect(await texts(others, { ...others, advertise: 'host.example' })).toEqual(['advertise: none → host.example']);
    const [socket, plain] = onChain({ ws: 'ws://chain.example:8546' });
    expect(await texts(socket, plain ?? {})).toEqual(['chain.ws: ws://chain.example:8546 → none']);
  });

  test.each([
    ['chain.operatorKey', onChain({ operatorKey: 'file:operator' })],
    ['chain.chainId', onChain({ chainId: 7 })],
  ])('%s may be added later, since the chain knows it', async (setting, [given, without]) => {
    const layout = await startedWith(parsed(without));
    expect(await reviewChanges(layout, parsed(given))).toMatchObject([{ setting, before: null }]);
  });

  test.each([
    ['chain.contracts.network', ...onChain({ contracts: { network } }), 'is fixed at the first start'],
    ['ports.nodes', { ports: { base: 20_000, nodes: 21_000 } }, { ports: { base: 20_000 } }, 'keeps its ports'],
  ])('%s is refused if it would have no effect', async (setting, given, without, why) => {
    const message = expect.stringMatching(`${setting} \\(from none to .+\\),? .*${why}`) as string;
    await expect(reviewChanges(await startedWith(parsed(without)), parsed(given))).rejects.toMatchObject({ message });
  });
});

describe('The contract of a token connector', () => {
  const [one, other] = [`0x${'2'.repeat(40)}`, `0x${'3'.repeat(40)}`];
  const named = (tokens: Part) => parsed({ chain: { ...url, contracts: { network, tokens } } });

  test('may be named later, for a connector without a contract or with the same one', async () => {
    const layout = await startedWith(named({}));
    const setting = 'chain.contracts.tokens.erc1155';
    const taken = [{ setting, before: null, after: one }];
    expect(await reviewChanges(layout, named({ erc1155: one }))).toEqual(taken);
    await writeJsonFile(layout.contracts, { tokens: [{ name: 'erc1155', address: one }] });
    expect(await reviewChanges(layout, named({ erc1155: one }))).toEqual(taken);
  });

  test('cannot become another one, and need no longer be named', async () => {
    const layout = await startedWith(named({ erc1155: one }));
    await writeJsonFile(layout.contracts, { tokens: [{ name: 'erc1155', address: one }] });
    const message = expect.stringContaining(`has its contract at ${one} already`) as string;
    const refused = { code: 'STATE_INVALID', message };
    await expect(reviewChanges(layout, named({ erc1155: other }))).rejects.toMatchObject(refused);
    expect(await reviewChanges(layout, named({}))).toMatchObject([{ before: one, after: null }]);
  });
});

describe('The database of a party', () => {
  const own = (name: string, more: Part) => ({ name, org: 'Bob', node: 'bob', ...more });

  test.each<[string, Part, Part]>([
    ['added', {}, { database: postgres }],
    ['removed', { database: postgres }, {}],
    ['moved', { database: postgres }, { database: { ...postgres, schema: 'another' } }],
  ])('is refused with the name of the party if it is %s, also beside a changed identity', async (_, before, after) => {
    const layout = await startedWith(parsed({ parties: ['alice', own('bob', before)] }));
    const message = expect.stringContaining('the database of the party bob has changed') as string;
    const hint = expect.stringContaining('stack reset') as string;
    const moved = reviewChanges(layout, parsed({ parties: ['alice', own('bob', after)] }));
    await expect(moved).rejects.toMatchObject({ code: 'STATE_INVALID', message, hint });
    const both = reviewChanges(layout, parsed({ parties: ['alice', own('bob', { ...after, org: 'Robert' })] }));
    await expect(both).rejects.toThrow('organisation and node of the party bob');
  });
});

describe('A record of an earlier version', () => {
  test.each<[string, Part]>([
    ['a stack of processes', {}],
    ['a stack of containers', docker],
    ['a chain that others run', { chain: url }],
  ])('of %s shows no changes', async (_, part) => {
    const layout = await startedWith(parsed(part));
    await change(layout, ({ runtime: _runtime, 'logs.level': _level, ...earlier }) => earlier);
    expect(await reviewChanges(layout, parsed(part))).toEqual([]);
  });

  test('tells by the settings of containers which runtime there was', async () => {
    const withoutRuntime = ({ runtime: _, ...earlier }: Part) => earlier;
    const [processes, containers] = [await startedWith(parsed({})), await startedWith(parsed(docker))];
    await change(processes, withoutRuntime);
    await change(containers, withoutRuntime);
    expect(await reviewChanges(processes, parsed(docker))).toMatchObject([{ setting: 'runtime', after: 'docker' }]);
    expect(await reviewChanges(containers, parsed({}))).toMatchObject([{ setting: 'runtime', after: 'process' }]);
  });
});

/** The paths of all settings of a schema. A schema without properties is one setting. */
function leavesOf(schema: TSchema, path = ''): string[] {
  const members = schema['properties'] as Readonly<Record<string, TSchema>> | undefined;
  if (members === undefined) return [path];
  return Object.entries(members).flatMap(([key, member]) => leavesOf(member, path === '' ? key : `${path}.${key}`));
}

function parsed(part: Part): StackSettings {
  const definition = { apiVersion: 'stack/v1', name: 'dev', parties: ['alice', 'bob'], ...part };
  return parseStackFile(JSON.stringify(definition), 'stack.yaml');
}

async function startedWith(before: StackSettings): Promise<Layout> {
  const layout = aLayout(aPlace());
  await makeDirectory(layout.directory);
  await noteSettings(layout, before);
  await writeJsonFile(layout.contracts, {});
  return layout;
}

/** The changes that a start finds, whether it accepts or refuses them. */
async function changesBetween(before: StackSettings, after: StackSettings): Promise<unknown> {
  try {
    return await reviewChanges(await startedWith(before), after);
  } catch (error) {
    if (error instanceof StackError && error.code === 'STATE_INVALID') return error.details?.['changes'];
    throw error;
  }
}

const Recorded = Type.Object({ version: Type.Literal(1), settings: Type.Record(Type.String(), Type.Unknown()) });

async function change(layout: Layout, edit: (settings: Part) => Part): Promise<void> {
  const applied = await readJsonFile(layout.applied, Recorded);
  await writeJsonFile(layout.applied, { version: 1, settings: edit(applied?.settings ?? {}) });
}
