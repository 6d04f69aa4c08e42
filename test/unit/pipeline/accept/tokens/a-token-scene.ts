import { createErc1155 } from '../../../../../src/adapters/token-connector/erc1155.js';
import { writeLocator } from '../../../../../src/adapters/token-connector/erc1155/ids.js';
import { createManualClock } from '../../../../../src/adapters/clock/manual.js';
import { createSeededRandom } from '../../../../../src/adapters/random/seeded.js';
import { createSilentMetrics } from '../../../../../src/adapters/metrics/silent.js';
import { createTokenAcceptance } from '../../../../../src/pipeline/accept/tokens/token.js';
import type { NewRow } from '../../../../../src/ports/tables/tables.js';
import type { TokenConnector } from '../../../../../src/ports/token-connector.js';
import { uuid } from '../../../../support/fixtures.js';
import { rowsOf } from '../../../../support/pipelines-check.js';
import { keyOf } from '../../../../support/registry.js';
import { anAcceptance, own } from '../messages/acceptance.js';

export const contract = keyOf(0xc0de);

/** Returns the locator of the contract's n-th pool. */
export function locatorOf(number: number, type: 'fungible' | 'nonfungible' = 'fungible'): string {
  const start = (type === 'fungible' ? 0n : 1n << 255n) | (BigInt(number) << 128n);
  const end = type === 'fungible' ? start : start | ((1n << 128n) - 1n);
  return writeLocator({ address: contract, type, startId: start, endId: end, block: 2 });
}

/** Returns the row of the n-th pool, published and active. */
export function aPool(number: number, changes: Partial<NewRow<'pools'>> = {}): NewRow<'pools'> {
  const { type = 'fungible' } = changes;
  return {
    namespace: 'default',
    id: uuid(number),
    name: `pool-${number}`,
    networkName: `pool-${number}`,
    type,
    standard: 'ERC1155',
    locator: locatorOf(number, type),
    chainKey: `${contract}/${number}`,
    address: contract,
    key: keyOf(1),
    symbol: null,
    decimals: 0,
    connector: 'erc1155',
    message: uuid(900 + number),
    state: 'followed',
    refusal: null,
    active: true,
    created: '2026-01-15T10:00:00.000Z',
    info: null,
    txtype: 'token_pool',
    txid: uuid(800 + number),
    interface: null,
    interfaceFormat: null,
    methods: null,
    published: true,
    pin: 1,
    claim: null,
    verified: true,
    ...changes,
  };
}

/** Creates the acceptance of tokens at alice's node, with these pools. */
export async function aTokenScene(
  pools: readonly NewRow<'pools'>[] = [aPool(1)],
  connectors: readonly TokenConnector[] = [createErc1155({ address: contract, firstBlock: 0 })],
) {
  const { database, bus, ...sender } = await anAcceptance();
  await database.transaction((unit) => unit.insert('pools', pools));
  const acceptance = createTokenAcceptance({
    ...sender,
    database,
    blockchain: { network: `0x${'e'.repeat(40)}` },
    bus,
    own,
    clock: createManualClock(),
    random: createSeededRandom(3),
    metrics: createSilentMetrics(),
    connectors: new Map(connectors.map((connector) => [connector.name, connector])),
  });
  /** Counts the rows in each table that an operation writes. */
  async function counts() {
    const tables = ['transactions', 'operations', 'messages', 'data', 'events'] as const;
    return Promise.all(tables.map(async (table) => (await rowsOf(database, table)).length));
  }
  return { ...acceptance, ...sender, database, counts };
}
