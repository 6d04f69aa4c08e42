import { Interface } from 'ethers';
import { ffiParameter } from '../../src/domain/contracts/schema.js';
import { eventFilter, signatureOfAll, writeFilters } from '../../src/domain/contracts/listener.js';
import type { ContractLog } from '../../src/ports/blockchain.js';
import type { NewRow } from '../../src/ports/tables/tables.js';
import type { FfiEvent } from '../../src/wire/contracts/contract.js';
import { textOf } from '../../src/wire/json/json.js';
import { uuid } from './fixtures.js';

const box = new Interface([
  'event Changed(address indexed by, uint256 value)',
  'event Emptied(address indexed by)',
  'event Named(string indexed name, string text)',
]);

export const boxAddress = `0x${'b'.repeat(40)}`;
export const otherAddress = `0x${'d'.repeat(40)}`;

const owner = `0x${'a'.repeat(40)}`;

/** An event of the test contract, as in an interface. */
export const changed: FfiEvent = {
  name: 'Changed',
  params: [
    ffiParameter({ name: 'by', type: 'address', indexed: true }),
    ffiParameter({ name: 'value', type: 'uint256' }),
  ],
};
export const emptied: FfiEvent = {
  name: 'Emptied',
  params: [ffiParameter({ name: 'by', type: 'address', indexed: true })],
};

export interface LogPlace {
  readonly block: number;
  readonly index?: number;
  readonly address?: string;
  readonly transactionHash?: string;
}

/** A log of a `Changed` event. */
export function aChange(value: number, place: LogPlace): ContractLog {
  return aLog(place, box.encodeEventLog('Changed', [owner, value]));
}

/** A log of an `Emptied` event. */
export function anEmptying(place: LogPlace): ContractLog {
  return aLog(place, box.encodeEventLog('Emptied', [owner]));
}

export function aLog(
  { block, index = 0, address = boxAddress, transactionHash = `0x${block.toString(16).padStart(64, '0')}` }: LogPlace,
  { topics, data }: { readonly topics: readonly string[]; readonly data: string },
): ContractLog {
  const position = { block, transactionIndex: 0, logIndex: index };
  const time = '2026-01-15T10:00:00.000Z';
  return { type: 'contract_log', position, transactionHash, time, address, topics, data };
}

export interface ListenerValues extends Partial<NewRow<'listeners'>> {
  readonly events?: readonly { readonly event: FfiEvent; readonly address: string | null }[];
}

/** A listener for `Changed` events. */
export function aListener({
  events = [{ event: changed, address: boxAddress }],
  ...values
}: ListenerValues = {}): NewRow<'listeners'> {
  const filters = events.map(({ event, address }) => eventFilter(event, { field: 'event', address }));
  return {
    namespace: 'default',
    id: uuid(700),
    interface: null,
    name: 'boxes',
    backendId: uuid(700),
    location: null,
    event: null,
    signature: signatureOfAll(filters),
    topic: 'box',
    options: textOf({ firstEvent: 'oldest' }),
    filters: writeFilters(filters),
    state: 'following',
    firstBlock: 0,
    created: '2026-01-15T10:00:00.000Z',
    updated: null,
    ...values,
  };
}
