import { beforeAll, describe, expect, it } from 'vitest';
import { createMemoryDatabase } from '../../../../src/adapters/database/memory/memory.js';
import { embedReferences } from '../../../../src/node/lists/embed.js';
import { newBlockchainEvent } from '../../../../src/pipeline/receive/contracts/blockchain-event.js';
import { newEvent, newSubmittedEvent } from '../../../../src/pipeline/state/events/event-row.js';
import { newTransaction } from '../../../../src/pipeline/state/chain/transaction-row.js';
import type { NewRow } from '../../../../src/ports/tables/tables.js';
import { every } from '../../../../src/ports/tables/where.js';
import type { EventType } from '../../../../src/wire/events/event.js';
import { textOf } from '../../../../src/wire/json/json.js';
import { all, anOperation } from '../../../compliance/database/rows.js';
import { uuid } from '../../../support/fixtures.js';
import { aChange } from '../../../support/listeners.js';
import { aPool } from '../../../support/token-rows.js';

const created = '2026-01-15T10:00:00.000Z';
const namespace = 'default';
const database = createMemoryDatabase();
const pool = aPool(1, 'fungible');
const place = {
  namespace,
  pool: pool.id,
  connector: 'erc1155',
  key: '0xa',
  created,
  blockchainEvent: uuid(9),
  block: 3,
};
const reported = { message: null, messageHash: null, txtype: null, txid: null };

const transfer: NewRow<'transfers'> = {
  ...place,
  ...reported,
  type: 'mint',
  localId: uuid(20),
  tokenIndex: null,
  uri: null,
  from: null,
  to: '0xa',
  amount: '7',
  protocolId: '3/0/0',
};
const approval: NewRow<'approvals'> = {
  ...place,
  ...reported,
  localId: uuid(21),
  operator: '0xb',
  approved: true,
  info: null,
  protocolId: '3/0/1',
  subject: '0xa:0xb',
  active: true,
};
const named = { namespace, message: null, name: 'box', networkName: null, published: false, pin: null };
const none = textOf([]);
const box: NewRow<'interfaces'> = {
  ...named,
  id: uuid(30),
  description: '',
  version: '1',
  methods: none,
  events: none,
  errors: none,
};
const api: NewRow<'apis'> = { ...named, id: uuid(31), interface: box.id, location: null };
const transaction = newTransaction(namespace, { id: uuid(40), type: 'token_transfer', created });
const operation = anOperation({
  id: uuid(41),
  namespace,
  tx: transaction.id,
  type: 'token_transfer',
  status: 'Failed',
});
const contractEvent = newBlockchainEvent({
  namespace,
  id: uuid(50),
  eventId: uuid(51),
  source: 'ethereum',
  name: 'Changed',
  signature: 'Changed(address,uint256)',
  log: aChange(7, { block: 3 }),
  output: textOf({ value: '7' }),
  listener: uuid(52),
  backendId: 'sub-1',
  origin: uuid(52),
  topic: 'box',
  created,
});

beforeAll(() =>
  database.transaction(async (unit) => {
    await unit.insert('pools', [pool]);
    await unit.insert('transfers', [transfer]);
    await unit.insert('approvals', [approval]);
    await unit.insert('interfaces', [box]);
    await unit.insert('apis', [api]);
    await unit.insert('transactions', [transaction]);
    await unit.insert('operations', [operation]);
    await unit.insert('blockchainevents', [contractEvent.record]);
    await unit.insert('events', [
      contractEvent.event,
      newSubmittedEvent(transaction, uuid(60)),
      ...about('token_pool_confirmed', pool.id),
      ...about('token_transfer_confirmed', transfer.localId),
      ...about('token_approval_confirmed', approval.localId),
      ...about('token_transfer_op_failed', operation.id),
      ...about('blockchain_invoke_op_succeeded', operation.id),
      ...about('contract_interface_confirmed', box.id),
      ...about('contract_api_confirmed', api.id),
      ...about('token_pool_confirmed', uuid(99)),
      ...about('token_pool_confirmed', pool.id, 'blue'),
    ]);
  }),
);

let numbers = 100;
const about = (type: EventType, reference: string, where = namespace) => [
  newEvent({ namespace: where, id: uuid(numbers++), type, reference, created }),
];

async function embeddedIn(type: EventType, where = namespace) {
  const rows = await database.rows('events', { namespace: every }, all);
  const chosen = rows.filter((row) => row.type === type && row.namespace === where);
  return embedReferences(database, chosen, true);
}

describe('an event embeds the record that it refers to', () => {
  it.each<[EventType, string, object]>([
    ['transaction_submitted', 'transaction', { id: transaction.id, type: 'token_transfer' }],
    ['token_pool_confirmed', 'tokenPool', { id: pool.id, name: pool.name }],
    ['token_transfer_confirmed', 'tokenTransfer', { localId: transfer.localId, amount: '7' }],
    ['token_approval_confirmed', 'tokenApproval', { localId: approval.localId, approved: true }],
    ['token_transfer_op_failed', 'operation', { id: operation.id, status: 'Failed' }],
    ['blockchain_invoke_op_succeeded', 'operation', { id: operation.id }],
    ['contract_interface_confirmed', 'contractInterface', { id: box.id, version: '1' }],
    ['contract_api_confirmed', 'contractAPI', { id: api.id, interface: { id: box.id } }],
    [
      'blockchain_event_received',
      'blockchainEvent',
      { id: uuid(50), listener: uuid(52), output: '{"value":"7"}', tx: { blockchainId: expect.any(String) } },
    ],
  ])('%s as %s', async (type, key, record) => {
    const [event] = await embeddedIn(type);
    expect(event).toMatchObject({ type, [key]: record });
    const rest = Object.entries(event ?? {}).flatMap(([name, value]) => (typeof value === 'object' ? [name] : []));
    expect(rest).toEqual([key]);
  });

  it('or an error if the record is missing or in another namespace', async () => {
    const [, unknown] = await embeddedIn('token_pool_confirmed');
    const error = expect.stringMatching(/^FF10109: /) as string;
    expect(unknown).toMatchObject({ reference: uuid(99), error });
    expect(unknown).not.toHaveProperty('tokenPool');
    const [elsewhere] = await embeddedIn('token_pool_confirmed', 'blue');
    expect(elsewhere).toMatchObject({ error });
    expect(elsewhere).not.toHaveProperty('tokenPool');
  });
});

it('the event of a submitted transaction has the type of the transaction as its topic', () => {
  expect(newSubmittedEvent(transaction, uuid(60))).toMatchObject({
    type: 'transaction_submitted',
    reference: transaction.id,
    tx: transaction.id,
    txtype: 'token_transfer',
    topic: 'token_transfer',
    topics: ['token_transfer'],
  });
});
