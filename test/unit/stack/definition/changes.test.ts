import { describe, expect, test } from 'vitest';
import {
  beginPoolRecord,
  changeText,
  isNewParty,
  isOpeningBalance,
  noteParty,
  noteSettings,
  reviewChanges,
} from '../../../../src/stack/definition/changes.js';
import type { StackSettings } from '../../../../src/stack/definition/definition.js';
import { parseStackFile } from '../../../../src/stack/definition/stack-file.js';
import { writeJsonFile } from '../../../../src/supervisor/files/json-file.js';
import { makeDirectory } from '../../../../src/supervisor/files/private-file.js';
import { aLayout, aPlace, someSettings } from '../fixtures/place.js';

const pools = 'tokens: {pools: [{name: coins, type: fungible, balances: {all: 5}}]}';

async function aStarted(settings: StackSettings) {
  const layout = aLayout(aPlace());
  await makeDirectory(layout.directory);
  await noteSettings(layout, settings);
  await writeJsonFile(layout.contracts, {});
  return layout;
}

/** Settings of a minimal definition with these parties. */
function withParties(parties: string, ...lines: string[]): StackSettings {
  const settings = someSettings(...lines);
  const named = parties.split(',').map((name) => ({ name, organization: name, node: `${name}-node` }));
  return { ...settings, parties: named };
}

/** Settings with these parties, and one pool with these balances. */
function givenTo(parties: string, balances: string): StackSettings {
  const pool = `tokens: {pools: [{name: coins, type: fungible, balances: {${balances}}}]}`;
  return parseStackFile(`apiVersion: stack/v1\nname: dev\nparties: [${parties}]\n${pool}\n`, 'stack.yaml');
}

describe('A change', () => {
  test.each([
    ['', []],
    ['logs: {level: debug}', ['logs.level: info → debug']],
    ['cors: {origins: ["http://a"]}', ['cors.origins: [] → ["http://a"]']],
    ['chain: {cors: {origins: ["http://a"]}}', ['chain.cors.origins: [] → ["http://a"]']],
    ['spi: {enabled: true}', ['spi.enabled: false → true']],
    ['batch: {maxMessages: 3}', ['batch.maxMessages: 200 → 3']],
    ['accounts: {spare: 7}', ['accounts.spare: 5 → 7']],
    ['namespaces: [default, more]', ['namespaces.more is new']],
    ['tokens: {connectors: [{name: erc20_erc721}, {name: erc1155}]}', ['tokens.connectors.erc20_erc721 is new']],
    [pools, ['pool coins is new: it is created']],
  ])('to %j is accepted', async (line, texts) => {
    const layout = await aStarted(someSettings());
    expect((await reviewChanges(layout, someSettings(line))).map(changeText)).toEqual(texts);
  });

  test('of the file of a key has no effect, since the key was copied', async () => {
    const layout = await aStarted(withParties('alice,bob'));
    const settings = withParties('alice,bob');
    const parties = settings.parties.map((party) => ({ ...party, keyFile: `/keys/${party.name}` }));
    expect(await reviewChanges(layout, { ...settings, parties })).toEqual([]);
  });

  test('of a certificate is accepted, also if there was none', async () => {
    const plain = withParties('alice,bob');
    const parties = plain.parties.map((party) => ({ ...party, tls: { certificateFile: '/a', keyFile: '/b' } }));
    const layout = await aStarted(plain);
    const changes = await reviewChanges(layout, { ...plain, parties });
    expect(changes.map(changeText)).toEqual(['tls.alice is new', 'tls.bob is new']);
    expect(changes.some(isNewParty)).toBe(false);
    const back = await reviewChanges(await aStarted({ ...plain, parties }), plain);
    expect(back).toMatchObject([{ after: null }, { after: null }]);
  });

  test('with a new party is accepted at any place in the list', async () => {
    const layout = await aStarted(withParties('alice,bob'));
    const changes = await reviewChanges(layout, withParties('dave,bob,alice'));
    expect(changes).toMatchObject([{ setting: 'parties.dave', before: null }]);
    expect(changes.every(isNewParty)).toBe(true);
    await noteParty(layout, withParties('dave,bob,alice', 'logs: {level: debug}'), 'dave');
    const rest = await reviewChanges(layout, withParties('dave,bob,alice', 'logs: {level: debug}'));
    expect(rest).toMatchObject([{ setting: 'logs.level' }]);
    expect(rest.some(isNewParty)).toBe(false);
  });

  test.each([
    [someSettings('chain: {chainId: 7}'), 'chain.chainId (from 31337 to 7) is fixed', 'stack reset'],
    [
      someSettings('chain: {mining: {intervalMs: 500}}'),
      'chain.mining (from auto to {"intervalMs":500})',
      'stack reset',
    ],
    [someSettings('keys: {source: test}'), 'keys.source (from random to test)', 'stack init'],
    [someSettings('ports: {base: 20000}'), 'ports.base (from auto to 20000)', '--reassign-ports'],
    [someSettings('namespaces: [other]'), 'the namespace default was removed', 'stack reset'],
    [someSettings('tokens: {connectors: []}'), 'the connector erc1155 was removed', 'stack reset'],
    [withParties('alice,robert'), 'the party bob was removed', 'stack reset'],
    [withParties('alice'), 'the party bob was removed', 'stack reset'],
    [
      { ...someSettings(), parties: [{ name: 'alice', organization: 'A', node: 'n' }] },
      'organisation and node of the party alice',
      'stack reset',
    ],
  ])('that a network cannot accept is refused with the command that can make it (%#)', async (settings, why, hint) => {
    const layout = await aStarted(someSettings());
    await expect(reviewChanges(layout, settings)).rejects.toMatchObject({
      code: 'STATE_INVALID',
      message: expect.stringContaining(why) as string,
      hint: expect.stringContaining(hint) as string,
    });
  });

  test('of a pool on the chain is refused with the command that mints more', async () => {
    const layout = await aStarted(someSettings(pools));
    await expect(reviewChanges(layout, someSettings(pools.replace('all: 5', 'all: 6')))).rejects.toMatchObject({
      hint: expect.stringContaining('stack mint AMOUNT --pool coins') as string,
    });
    await expect(reviewChanges(layout, someSettings())).rejects.toThrow('a pool on the chain stays');
  });

  test('of a pool that the last start could not create is accepted, also its removal', async () => {
    const layout = await aStarted(someSettings(pools));
    await writeJsonFile(layout.pools, { version: 1, pools: {} });
    const texts = async (...lines: string[]) => (await reviewChanges(layout, someSettings(...lines))).map(changeText);
    expect(await texts(pools)).toEqual([]);
    expect(await texts()).toEqual(['pool coins is gone: it was not created']);
    expect(await texts(pools.replace(' fungible', ' nonfungible'))).toEqual(['pool coins is new: it is created']);
    expect(await texts(pools.replaceAll('coins', 'deeds'))).toEqual([
      'pool coins is gone: it was not created',
      'pool deeds is new: it is created',
    ]);
  });

  test('of balances is accepted for those that the last start could not mint, and refused for others', async () => {
    const layout = await aStarted(givenTo('alice,bob', 'alice: 5, bob: 7'));
    const balances = [{ party: 'alice', amount: '5' }];
    const coins = { type: 'fungible', owner: 'alice', connector: 'erc1155', symbol: null, balances };
    await writeJsonFile(layout.pools, { version: 1, pools: { coins } });
    const texts = async (given: string) => (await reviewChanges(layout, givenTo('alice,bob', given))).map(changeText);
    expect(await texts('alice: 5, bob: 8')).toEqual(['pool coins: bob is given 8']);
    expect(await texts('alice: 5')).toEqual(['pool coins: nothing more is given']);
    await expect(texts('alice: 6, bob: 7')).rejects.toMatchObject({ code: 'STATE_INVALID' });
    await expect(texts('bob: 7')).rejects.toMatchObject({ code: 'STATE_INVALID' });
  });

  test('of pools is compared with the settings of the first start if there is no record of pools', async () => {
    const layout = await aStarted(someSettings(pools));
    await beginPoolRecord(layout);
    await noteSettings(layout, someSettings(pools.replace('fungible', 'nonfungible').replaceAll('coins', 'deeds')));
    await beginPoolRecord(layout);
    await expect(reviewChanges(layout, someSettings())).resolves.toMatchObject([{ setting: 'tokens.pools.deeds' }]);
    const changed = someSettings(pools.replace('all: 5', 'all: 6'));
    await expect(reviewChanges(layout, changed)).rejects.toThrow('the pool coins is already on the chain');
  });

  test('with a new party is accepted for a pool with a balance for all, which the party also gets', async () => {
    const layout = await aStarted(givenTo('alice,bob', 'all: 5'));
    const joined = givenTo('alice,bob,dave', 'all: 5');
    await noteParty(layout, joined, 'dave');
    const changes = await reviewChanges(layout, joined);
    expect(changes.map(changeText)).toEqual(['pool coins: dave is given 5']);
    expect([changes.some(isNewParty), changes.every(isOpeningBalance)]).toEqual([false, true]);
    const otherwise = reviewChanges(layout, givenTo('alice,bob,dave', 'all: 6'));
    await expect(otherwise).rejects.toMatchObject({ code: 'STATE_INVALID' });
    const without = reviewChanges(layout, givenTo('alice,bob,dave', 'alice: 5, dave: 5'));
    await expect(without).rejects.toMatchObject({ code: 'STATE_INVALID' });
  });

  test('has no effect before there is a network, or for a setting that the record does not have', async () => {
    const place = aPlace();
    const layout = aLayout(place);
    await makeDirectory(layout.directory);
    expect(await reviewChanges(layout, withParties('alice'))).toEqual([]);
    await noteSettings(layout, someSettings());
    expect(await reviewChanges(layout, withParties('alice'))).toEqual([]);
    await writeJsonFile(layout.contracts, {});
    await writeJsonFile(layout.applied, {
      version: 1,
      settings: {
        'parties.alice': { organization: 'alice', node: 'alice-node' },
        'parties.bob': { organization: 'bob', node: 'bob-node' },
        'namespaces.default': {},
        'tokens.connectors.erc1155': {},
      },
    });
    expect(await reviewChanges(layout, someSettings('logs: {level: debug}'))).toEqual([]);
  });

  test('of ports is accepted with reassignPorts', async () => {
    const layout = await aStarted(someSettings());
    const changes = await reviewChanges(layout, someSettings('ports: {base: 20000}'), { reassignPorts: true });
    expect(changes).toMatchObject([{ setting: 'ports.base', after: 20_000 }]);
  });
});
