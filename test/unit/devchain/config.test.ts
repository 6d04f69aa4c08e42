import { expect, test } from 'vitest';
import { genesisOf, parseConfig } from '../../../src/devchain/config.js';

const account = { address: `0x${'aB'.repeat(20)}`, balance: '10000000000000000000000' };
const aFile = (more: object = {}): string => JSON.stringify({ dataDirectory: '/data', accounts: [account], ...more });

test('two keys are enough, the others have defaults', () => {
  expect(parseConfig(aFile())).toEqual({
    host: '127.0.0.1',
    port: 0,
    dataDirectory: '/data',
    chainId: 31_337,
    genesisTime: '2026-01-01T00:00:00Z',
    accounts: [{ ...account, address: account.address.toLowerCase() }],
    mining: { auto: true, intervalMs: 0 },
    logLevel: 'info',
    hosts: [],
    origins: [],
    tokenFile: undefined,
    allowRevert: false,
    anvil: undefined,
    trustedNetwork: false,
  });
});

test('the genesis is in seconds and wei', () => {
  expect(genesisOf(parseConfig(aFile({ genesisTime: '2026-01-01T01:00:00+01:00' })))).toEqual({
    chainId: 31_337,
    time: 1_767_225_600,
    accounts: [{ address: account.address.toLowerCase(), balance: 10n ** 22n }],
  });
});

test.each([
  ['port', 65_536],
  ['port', '16000'],
  ['dataDirectory', ''],
  ['chainId', 0],
  ['genesisTime', 'yesterday'],
  ['genesisTime', '2026-01-01T00:00:00.5Z'],
  ['accounts', {}],
  ['accounts', [{ address: '0x12', balance: '1' }]],
  ['accounts', [{ address: account.address, balance: 1 }]],
  ['accounts', [account, { ...account, address: account.address.toUpperCase().replace('X', 'x') }]],
  ['mining', 'auto'],
  ['mining', { auto: true, intervalMs: -1 }],
  ['logLevel', 'loud'],
  ['trustedNetwork', 'yes'],
  ['hosts', 'chain'],
  ['origins', [1]],
  ['tokenFile', ''],
  ['allowRevert', 'yes'],
])('%s as %j is refused by its name', (key, value) => {
  expect(() => parseConfig(aFile({ [key]: value }))).toThrow(`The configuration's ${key} must be`);
});

test('an unknown key is refused with the list of known ones', () => {
  expect(() => parseConfig(aFile({ chainID: 1 }))).toThrow(/no key "chainID".*chainId/);
});
