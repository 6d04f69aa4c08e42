import type { Client } from '../../../src/client/client.js';
import { type ListName, type Parameters, readPage, type RecordOf } from '../../../src/client/page.js';
import { pages } from '../pages.js';
import type { Place } from '../url/place.js';
import type { Form, Reading } from './classify.js';

/** One answer to a search. */
export interface Hit {
  readonly key: string;
  readonly label: string;
  /** A second line of its own: what kind of record it is, or who made it. */
  readonly about?: string;
  readonly to: Partial<Place>;
  /** Whether the search text names it completely. */
  readonly isExact: boolean;
}

/** A kind of record that a search asks for. */
export interface Kind {
  readonly title: string;
  /** Undefined where the readings cannot mean a record of this kind. */
  readonly ask: (
    readings: readonly Reading[],
    client: Client,
    signal: AbortSignal,
  ) => Promise<readonly Hit[]> | undefined;
}

export const maxHits = 5;
/** Tags and topics are read from so many messages. */
const maxSampled = 100;

type Where = Partial<Readonly<Record<Form, (text: string) => Parameters>>>;

interface Lookup<Name extends ListName> {
  readonly title: string;
  /** The page that shows a record of this kind. */
  readonly page: string;
  readonly list: Name;
  /** The parameters of the request, by the form of the text. */
  readonly where: Where;
  readonly limit?: number;
  readonly hits: (row: RecordOf<Name>, reading: Reading) => readonly Omit<Hit, 'to'>[];
  /** Default: the record beside its list. */
  readonly to?: (key: string) => Partial<Place>;
}

function lookup<Name extends ListName>(options: Lookup<Name>): readonly Kind[] {
  const { title, page, list, where, limit = maxHits, hits, to = (key: string) => ({ open: key }) } = options;
  // A page that does not exist cannot show what would be found.
  if (!pages.some(({ name }) => name === page)) return [];
  return [
    {
      title,
      ask(readings, client, signal) {
        const questions = readings.flatMap((reading) => {
          const parameters = where[reading.is]?.(reading.text);
          return parameters === undefined ? [] : [{ reading, parameters }];
        });
        if (questions.length === 0) return undefined;
        const answers = questions.map(async ({ reading, parameters }) => {
          const { entries } = await readPage(client, list, [...parameters, ['limit', String(limit)]], signal);
          return entries.flatMap(({ value }) => hits(value, reading));
        });
        return Promise.all(answers).then((found) => {
          const unique = new Map(
            found.flat().map((hit) => [hit.key, { ...hit, to: { ...emptied, page, ...to(hit.key) } }]),
          );
          return [...unique.values()].slice(0, maxHits);
        });
      },
    },
  ];
}

const emptied: Partial<Place> = {
  id: undefined,
  open: undefined,
  tab: undefined,
  query: undefined,
  filters: [],
  from: undefined,
  to: undefined,
  sort: undefined,
};

const byId: Where = {
  uuid: (text) => [['id', text]],
  prefix: (text) => [['id', `^${text}`]],
};
const begins = (field: string) => (text: string) => [[field, `:^${text}`]] as const;
const isSame = (value: string | undefined, { text }: Reading): boolean => value === text;
const named = (name: string, version: string): string => `${name}@${version}`;
const nameAndVersion = (text: string): Parameters => {
  const [name = '', version = ''] = text.split('@');
  return [
    ['name', name],
    ['version', version],
  ];
};
/** A filter of the URL that takes exactly this value, whatever signs it begins with. */
const filterOf = (field: string, value: string): Partial<Place> => ({ filters: [`${field}==${value}`] });

/** Every kind that a search asks for, in the order in which they are shown. Values are not searched. */
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
      text: (text) => [['blob.name', `:@${text}`]],
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
    where: { ...byId, text: begins('name') },
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
  messagesOf('Messages of a transaction', 'transaction', async (text, client, signal) => {
    const { entries } = await readPage(client, 'listTransactions', [['blockchainids', text], few], signal);
    return entries.map(({ value }) => ['txid', value.id] as const);
  }),
  messagesOf('Messages of a payload', 'cid', async (text, client, signal) => {
    const { entries } = await readPage(client, 'listBatches', [['payloadref', text], few], signal);
    return entries.map(({ value }) => ['batch', value.id] as const);
  }),
];

const few = ['limit', String(maxHits)] as const;

/** Messages that are found by way of what carried them. */
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
