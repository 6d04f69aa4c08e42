import { readPage } from '../../../src/client/page.js';
import type { Operation } from '../../../src/wire/chain/transaction.js';
import { begins, byId, contains, emptied, few, isSame, type Kind, lookup, transactionsOf } from './lookup.js';

/** The place of a record in a part of a page other than its first. */
const inPart = (part: string) => (key: string) => ({ id: part, open: key });

function operationHit({ id, type, status }: Pick<Operation, 'id' | 'type' | 'status'>) {
  return { key: id, label: id, about: `${type} · ${status}` };
}

/** The largest page that a node serves. */
const maxApis = 1_000;

/** The kinds of chain records other than pools and interfaces. */
export const chainKinds: readonly Kind[] = [
  ...lookup({
    title: 'Token transfers',
    page: 'tokens',
    list: 'listTokenTransfers',
    where: {
      uuid: (text) => [['localid', text]],
      prefix: (text) => [['localid', `^${text}`]],
      hash: (text) => [['messagehash', text]],
    },
    hits: ({ localId, type, amount }, reading) => [
      { key: localId, label: localId, about: `${type} of ${amount}`, isExact: isSame(localId, reading) },
    ],
    to: inPart('transfers'),
  }),
  ...lookup({
    title: 'Token approvals',
    page: 'tokens',
    list: 'listTokenApprovals',
    where: { uuid: (text) => [['localid', text]], prefix: (text) => [['localid', `^${text}`]] },
    hits: ({ localId, operator }, reading) => [
      { key: localId, label: localId, about: `of ${operator}`, isExact: isSame(localId, reading) },
    ],
    to: inPart('approvals'),
  }),
  ...lookup({
    title: 'Contract APIs',
    page: 'contracts',
    list: 'listContractApis',
    where: { ...byId, text: begins('name') },
    hits: ({ id, name }, reading) => [
      { key: name, label: name, isExact: isSame(id, reading) || isSame(name, reading) },
    ],
    to: inPart('apis'),
  }),
  ...lookup({
    title: 'Contract APIs at the address',
    page: 'contracts',
    list: 'listContractApis',
    // The node has no filter for the address of an API.
    where: { address: () => [] },
    limit: maxApis,
    hits: ({ name, location }, { text }) =>
      location?.toLowerCase().includes(text) === true ? [{ key: name, label: name, isExact: true }] : [],
    to: inPart('apis'),
  }),
  ...lookup({
    title: 'Contract listeners',
    page: 'contracts',
    list: 'listContractListeners',
    where: { ...byId, text: begins('name'), address: contains('location') },
    hits: ({ id, name, signature }, reading) => [
      { key: id, label: name, about: signature, isExact: isSame(id, reading) || isSame(name, reading) },
    ],
    to: inPart('listeners'),
  }),
  ...lookup({
    title: 'Contract events',
    page: 'contracts',
    list: 'listBlockchainEvents',
    where: byId,
    hits: ({ id, name }, reading) => [{ key: id, label: id, about: name, isExact: isSame(id, reading) }],
    to: inPart('events'),
  }),
  ...lookup({
    title: 'Operations',
    page: 'contracts',
    list: 'listOperations',
    where: byId,
    hits: (operation, reading) => [{ ...operationHit(operation), isExact: isSame(operation.id, reading) }],
    to: inPart('operations'),
  }),
  {
    title: 'Operations of a transaction',
    ask(readings, client, signal) {
      const reading = readings.find(({ is }) => is === 'uuid' || is === 'transaction');
      if (reading === undefined) return undefined;
      const find = async () => {
        const ids = reading.is === 'uuid' ? [reading.text] : await transactionsOf(reading.text, client, signal);
        if (ids.length === 0) return [];
        const where = [...ids.map((id) => ['tx', id] as const), few];
        const { entries } = await readPage(client, 'listOperations', where, signal);
        return entries.map(({ value }) => ({
          ...operationHit(value),
          isExact: false,
          to: { ...emptied, page: 'contracts', ...inPart('operations')(value.id) },
        }));
      };
      return find();
    },
  },
];
