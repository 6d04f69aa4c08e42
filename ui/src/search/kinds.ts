import { chainKinds } from './chain-kinds.js';
import {
  begins,
  byId,
  contains,
  emptied,
  few,
  filterOf,
  isSame,
  type Kind,
  lookup,
  nameAndVersion,
  named,
  transactionsOf,
} from './lookup.js';
import type { Client } from '../../../src/client/client.js';
import { type Parameters, readPage } from '../../../src/client/page.js';
import type { Form } from './classify.js';

/** The number of messages that are searched for tags and topics. */
const maxSampled = 100;

/** All kinds of records that are searched, in display order. Values of data items are not searched. */
export const searchKinds: readonly Kind[] = [
  ...lookup({
    title: 'Messages',
    page: 'messages',
    list: 'listMessages',
    where: { ...byId, hash: (text) => [['hash', text]] },
    hits: ({ header, state, hash }, reading) => [
      {
        key: header.id,
        label: header.id,
        about: `${header.type} · ${state} · ${header.topics.join(', ')}`,
        isExact: isSame(header.id, reading) || isSame(hash, reading),
      },
    ],
  }),
  ...lookup({
    title: 'Messages of a batch',
    page: 'messages',
    list: 'listMessages',
    where: { uuid: (text) => [['batch', text]] },
    hits: ({ header, state }) => [
      { key: header.id, label: header.id, about: `${header.type} · ${state}`, isExact: false },
    ],
  }),
  ...lookup({
    title: 'Messages by author',
    page: 'messages',
    list: 'listMessages',
    where: { did: (text) => [['author', text]], address: (text) => [['key', text]] },
    hits: ({ header, state }) => [
      { key: header.id, label: header.id, about: `${header.type} · ${state} · ${header.author}`, isExact: false },
    ],
  }),
  ...lookup({
    title: 'Tags',
    page: 'messages',
    list: 'listMessages',
    limit: maxSampled,
    where: { text: begins('tag'), prefix: begins('tag') },
    hits: ({ header: { tag } }, reading) =>
      tag === undefined ? [] : [{ key: tag, label: tag, isExact: isSame(tag, reading) }],
    to: (tag) => filterOf('tag', tag),
  }),
  ...lookup({
    title: 'Topics',
    page: 'messages',
    list: 'listMessages',
    limit: maxSampled,
    where: { text: begins('topics'), prefix: begins('topics') },
    hits: ({ header: { topics } }, reading) =>
      topics
        .filter((topic) => topic.toLowerCase().startsWith(reading.text.toLowerCase()))
        .map((topic) => ({ key: topic, label: topic, isExact: isSame(topic, reading) })),
    to: (topic) => filterOf('topics', topic),
  }),
  ...lookup({
    title: 'Events',
    page: 'events',
    list: 'listEvents',
    where: byId,
    hits: ({ id, type, sequence }, reading) => [
      { key: id, label: id, about: `${type} · sequence ${sequence}`, isExact: isSame(id, reading) },
    ],
  }),
  ...lookup({
    title: 'Data',
    page: 'data',
    list: 'listData',
    where: {
      ...byId,
      hash: (text) => [['hash', text]],
      cid: (text) => [['blob.public', text]],
      text: contains('blob.name'),
      version: (text) => {
        const [name = '', version = ''] = text.split('@');
        return [
          ['datatype.name', name],
          ['datatype.version', version],
        ];
      },
    },
    hits: ({ id, hash, blob, datatype }, reading) => [
      {
        key: id,
        label: blob?.name ?? id,
        about: datatype === undefined ? 'data item' : `datatype ${named(datatype.name, datatype.version)}`,
        isExact: [id, hash, blob?.name, blob?.public].some((each) => isSame(each, reading)),
      },
    ],
  }),
  ...lookup({
    title: 'Files by hash',
    page: 'data',
    list: 'listData',
    where: { hash: (text) => [['blob.hash', text]] },
    hits: ({ id, blob }) => [{ key: id, label: blob?.name ?? id, about: 'file', isExact: true }],
  }),
  ...lookup({
    title: 'Datatypes',
    page: 'datatypes',
    list: 'listDatatypes',
    where: { ...byId, hash: (text) => [['hash', text]], text: begins('name'), version: nameAndVersion },
    hits: ({ id, name, version, hash }, reading) => [
      {
        key: id,
        label: named(name, version),
        isExact: [id, hash, name, named(name, version)].some((each) => isSame(each, reading)),
      },
    ],
  }),
  ...lookup({
    title: 'Token pools',
    page: 'tokens',
    list: 'listTokenPools',
    where: { ...byId, text: begins('name'), address: contains('locator') },
    hits: ({ id, name, type }, reading) => [
      { key: id, label: name, about: type, isExact: isSame(id, reading) || isSame(name, reading) },
    ],
  }),
  ...lookup({
    title: 'Contract interfaces',
    page: 'contracts',
    list: 'listContractInterfaces',
    where: { ...byId, text: begins('name'), version: nameAndVersion },
    hits: ({ id = '', name, version }, reading) => [
      {
        key: id,
        label: named(name, version),
        isExact: [id, name, named(name, version)].some((each) => isSame(each, reading)),
      },
    ],
  }),
  ...lookup({
    title: 'Parties and identities',
    page: 'network',
    list: 'listIdentities',
    where: { ...byId, did: (text) => [['did', text]], text: begins('name') },
    hits: ({ id, name, did, type }, reading) => [
      {
        key: id,
        label: name,
        about: `${type} · ${did}`,
        isExact: [id, did, name].some((each) => isSame(each, reading)),
      },
    ],
  }),
  ...lookup({
    title: 'Owner of the key',
    page: 'network',
    list: 'listVerifiers',
    where: { address: (text) => [['value', text]], hash: (text) => [['value', text]] },
    hits: ({ identity, value, type }) => [{ key: identity, label: value, about: type, isExact: true }],
  }),
  ...lookup({
    title: 'Groups',
    page: 'groups',
    list: 'listGroups',
    where: { hash: (text) => [['hash', text]], text: begins('name') },
    hits: ({ hash, name, members }, reading) => [
      {
        key: hash,
        label: name === '' ? hash : name,
        about: members.map(({ identity }) => identity).join(', '),
        isExact: isSame(hash, reading) || (name !== '' && isSame(name, reading)),
      },
    ],
  }),
  ...lookup({
    title: 'Subscriptions',
    page: 'subscriptions',
    list: 'listSubscriptions',
    where: { ...byId, text: begins('name') },
    hits: ({ id, name, transport }, reading) => [
      { key: id, label: name, about: transport, isExact: isSame(id, reading) || isSame(name, reading) },
    ],
  }),
  ...chainKinds,
  messagesOf('Messages of a transaction', 'transaction', async (text, client, signal) => {
    const ids = await transactionsOf(text, client, signal);
    return ids.map((id) => ['txid', id] as const);
  }),
  messagesOf('Messages of a payload', 'cid', async (text, client, signal) => {
    const { entries } = await readPage(client, 'listBatches', [['payloadref', text], few], signal);
    return entries.map(({ value }) => ['batch', value.id] as const);
  }),
];

/** A search for messages through their batch or transaction. */
function messagesOf(
  title: string,
  form: Form,
  carriers: (text: string, client: Client, signal: AbortSignal) => Promise<Parameters>,
): Kind {
  return {
    title,
    ask(readings, client, signal) {
      const reading = readings.find(({ is }) => is === form);
      if (reading === undefined) return undefined;
      return carriers(reading.text, client, signal).then(async (where) => {
        if (where.length === 0) return [];
        const { entries } = await readPage(client, 'listMessages', [...where, few], signal);
        return entries.map(({ value: { header, state } }) => ({
          key: header.id,
          label: header.id,
          about: `${header.type} · ${state}`,
          isExact: entries.length === 1,
          to: { ...emptied, page: 'messages', open: header.id },
        }));
      });
    },
  };
}
