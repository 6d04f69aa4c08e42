import { readPage } from '../../client/page.js';
import { openTarget, type Target } from '../requests/target.js';
import { age, shortAuthor } from '../terminal/text.js';
import type { Source } from './source.js';
import type { Candidate, Wanted } from './words.js';

const maxRecords = 20;

/** A source that queries the selected node. */
function nodeSource(
  read: (target: Target, wanted: Wanted, signal: AbortSignal) => Promise<readonly Candidate[]>,
): Source {
  return async (wanted, context, signal) => {
    const [stack, party, ns, url] = ['stack', 'party', 'ns', 'url'].map((flag) => wanted.given.get(flag));
    const file = wanted.given.get('auth-file');
    const target = await openTarget({ stack, party, ns, url, 'auth-file': file }, context);
    return read(target, wanted, signal);
  };
}

const newest = [['limit', String(maxRecords)]] as const;
/** Filters by the typed prefix, if an id can begin with it. */
const prefixFilter = (field: string, typed: string) =>
  /^[0-9a-f-]+$/.test(typed) ? [[field, `^${typed}`] as const] : [];

const messages = nodeSource(async ({ party: { client } }, { typed }, signal) => {
  const page = await readPage(client, 'listMessages', [...newest, ...prefixFilter('id', typed)], signal);
  return page.entries.map(({ value: { header, state } }) => ({
    value: header.id,
    description: [shortAuthor(header.author), header.topics.join(','), state, ...agesOf(header.created)].join(' '),
  }));
});

function agesOf(created: string | undefined): string[] {
  return created === undefined ? [] : [age(created, Date.now())];
}

const dataItems = nodeSource(async ({ party: { client } }, { typed }, signal) => {
  const page = await readPage(client, 'listData', [...newest, ...prefixFilter('id', typed)], signal);
  return page.entries.map(({ value: { id, blob, created } }) => ({
    value: id,
    description: [blob?.name ?? 'value', ...agesOf(created)].join(' '),
  }));
});

const groups = nodeSource(async ({ party: { client } }, { typed }, signal) => {
  const page = await readPage(client, 'listGroups', [...newest, ...prefixFilter('hash', typed)], signal);
  return page.entries.map(({ value: { hash, members } }) => ({
    value: hash,
    description: members.map(({ identity }) => shortAuthor(identity)).join(','),
  }));
});

const pools = nodeSource(async ({ party: { client } }, _, signal) => {
  const page = await readPage(client, 'listTokenPools', newest, signal);
  return page.entries.map(({ value: { name, type } }) => ({ value: name, description: type }));
});

const transfers = nodeSource(async ({ party: { client } }, { typed }, signal) => {
  const page = await readPage(client, 'listTokenTransfers', [...newest, ...prefixFilter('localid', typed)], signal);
  return page.entries.map(({ value: { localId, type, amount } }) => ({
    value: localId,
    description: `${type} ${amount}`,
  }));
});

const subscriptions = nodeSource(async ({ party: { client } }, _, signal) => {
  const page = await readPage(client, 'listSubscriptions', newest, signal);
  return page.entries.map(({ value: { name, transport } }) => ({ value: name, description: transport }));
});

const datatypes = nodeSource(async ({ party: { client } }, _, signal) => {
  const page = await readPage(client, 'listDatatypes', newest, signal);
  return page.entries.map(({ value: { name, version } }) => ({ value: `${name}@${version}` }));
});

function messageSource(field: 'tag' | 'topics'): Source {
  return nodeSource(async ({ party: { client } }, _, signal) => {
    const { entries } = await readPage(client, 'listMessages', [['limit', '100']], signal);
    const values = entries.flatMap(({ value: { header } }) => header[field] ?? []);
    return [...new Set(values)].map((value) => ({ value }));
  });
}

/** The sources that query a node. They are loaded only when needed, with everything that a request needs. */
export const nodeValues = {
  messages,
  dataItems,
  groups,
  pools,
  transfers,
  subscriptions,
  datatypes,
  tags: messageSource('tag'),
  topics: messageSource('topics'),
} as const satisfies Readonly<Record<string, Source>>;
