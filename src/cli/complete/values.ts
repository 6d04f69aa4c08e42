import { readPage } from '../../client/page.js';
import { defaults } from '../../stack/definition.js';
import { placeFrom } from '../../stack/layout.js';
import { locateStack } from '../../stack/locate.js';
import { readRegistry } from '../../stack/registry.js';
import { readStackFile } from '../../stack/stack-file.js';
import { listTemplates } from '../../stack/template.js';
import { topicNames } from '../help-topics.js';
import { leavesOf } from '../leaves.js';
import { chooseStack, openTarget, type Surroundings, type Target } from '../target.js';
import { age, safe, shortAuthor } from '../text.js';
import { type Candidate, startingWith, type Wanted } from './words.js';

type Source = (wanted: Wanted, surroundings: Surroundings, signal: AbortSignal) => Promise<readonly Candidate[]>;

/** How many records of a node are offered. */
const maxRecords = 20;

const fixed =
  (...values: readonly string[]): Source =>
  () =>
    Promise.resolve(values.map((value) => ({ value })));

const stacks: Source = async (_, { environment }) => {
  const registry = await readRegistry(placeFrom(environment));
  return Object.entries(registry).map(([value, { template }]) => ({ value, description: template }));
};

const templates: Source = async (_, { environment }) => {
  const found = await listTemplates(placeFrom(environment));
  return found.map(({ name, from }) => ({ value: name, description: from }));
};

/** Of the stack that is meant by what is typed already. */
async function settingsFor({ given }: Wanted, surroundings: Surroundings) {
  const name = await chooseStack({ stack: given.get('stack') }, surroundings);
  const { definitionFile } = await locateStack(placeFrom(surroundings.environment), name);
  return readStackFile(definitionFile);
}

const parties: Source = async (wanted, surroundings) => {
  const settings = await settingsFor(wanted, surroundings);
  return settings.parties.map(({ name, organization }) => ({ value: name, description: organization }));
};

const services: Source = async (wanted, surroundings, signal) => [
  ...(await parties(wanted, surroundings, signal)),
  { value: 'chain' },
  { value: 'store' },
];

const namespaces: Source = async (wanted, surroundings) =>
  (await settingsFor(wanted, surroundings)).namespaces.map((value) => ({ value }));

const connectors: Source = async (wanted, surroundings) =>
  (await settingsFor(wanted, surroundings)).tokens.connectors.map((value) => ({ value }));

const settingNames: Source = () =>
  Promise.resolve(
    leavesOf(defaults).map(([path, value]) => ({ value: `${path}=`, description: JSON.stringify(value) })),
  );

const helpTopics: Source = () => Promise.resolve(topicNames.map((value) => ({ value, description: 'topic' })));

/** Reads of the node that is meant, from what the answer says. */
function ofNode(read: (target: Target, wanted: Wanted, signal: AbortSignal) => Promise<readonly Candidate[]>): Source {
  return async (wanted, surroundings, signal) => {
    const [stack, party, ns, url] = ['stack', 'party', 'ns', 'url'].map((flag) => wanted.given.get(flag));
    const file = wanted.given.get('auth-file');
    const target = await openTarget({ stack, party, ns, url, 'auth-file': file }, surroundings);
    return read(target, wanted, signal);
  };
}

const newest = [['limit', String(maxRecords)]] as const;
/** What begins with the part that is typed, if that can be the beginning of an id. */
const beginning = (field: string, typed: string) => (/^[0-9a-f-]+$/.test(typed) ? [[field, `^${typed}`] as const] : []);

const messages = ofNode(async ({ party: { client } }, { typed }, signal) => {
  const page = await readPage(client, 'listMessages', [...newest, ...beginning('id', typed)], signal);
  return page.entries.map(({ value: { header, state } }) => ({
    value: header.id,
    description: [shortAuthor(header.author), header.topics.join(','), state, ...agesOf(header.created)].join(' '),
  }));
});

function agesOf(created: string | undefined): string[] {
  return created === undefined ? [] : [age(created, Date.now())];
}

const dataItems = ofNode(async ({ party: { client } }, { typed }, signal) => {
  const page = await readPage(client, 'listData', [...newest, ...beginning('id', typed)], signal);
  return page.entries.map(({ value: { id, blob, created } }) => ({
    value: id,
    description: [blob?.name ?? 'value', ...agesOf(created)].join(' '),
  }));
});

const groups = ofNode(async ({ party: { client } }, { typed }, signal) => {
  const page = await readPage(client, 'listGroups', [...newest, ...beginning('hash', typed)], signal);
  return page.entries.map(({ value: { hash, members } }) => ({
    value: hash,
    description: members.map(({ identity }) => shortAuthor(identity)).join(','),
  }));
});

const pools = ofNode(async ({ party: { client } }, _, signal) => {
  const page = await readPage(client, 'listTokenPools', newest, signal);
  return page.entries.map(({ value: { name, type } }) => ({ value: name, description: type }));
});

const transfers = ofNode(async ({ party: { client } }, { typed }, signal) => {
  const page = await readPage(client, 'listTokenTransfers', [...newest, ...beginning('localid', typed)], signal);
  return page.entries.map(({ value: { localId, type, amount } }) => ({
    value: localId,
    description: `${type} ${amount}`,
  }));
});

const subscriptions = ofNode(async ({ party: { client } }, _, signal) => {
  const page = await readPage(client, 'listSubscriptions', newest, signal);
  return page.entries.map(({ value: { name, transport } }) => ({ value: name, description: transport }));
});

const datatypes = ofNode(async ({ party: { client } }, _, signal) => {
  const page = await readPage(client, 'listDatatypes', newest, signal);
  return page.entries.map(({ value: { name, version } }) => ({ value: `${name}@${version}` }));
});

/** Tags and topics of the newest messages. */
function ofMessages(field: 'tag' | 'topics'): Source {
  return ofNode(async ({ party: { client } }, _, signal) => {
    const { entries } = await readPage(client, 'listMessages', [['limit', '100']], signal);
    const values = entries.flatMap(({ value: { header } }) => header[field] ?? []);
    return [...new Set(values)].map((value) => ({ value }));
  });
}

const ofFlags: Readonly<Record<string, Source>> = {
  stack: stacks,
  party: parties,
  to: parties,
  from: parties,
  owner: parties,
  'message-to': parties,
  parties,
  ns: namespaces,
  template: templates,
  init: templates,
  connector: connectors,
  pool: pools,
  datatype: datatypes,
  durable: subscriptions,
  tag: ofMessages('tag'),
  topic: ofMessages('topics'),
  topics: ofMessages('topics'),
  group: groups,
  'data-id': dataItems,
  message: messages,
  set: settingNames,
  wait: fixed('none', 'local', 'all'),
  since: fixed('newest', 'oldest', '5m', '1h'),
  first: fixed('newest', 'oldest'),
  timeout: fixed('10s', '30s', '1m', '5m'),
  'port-base': fixed('auto'),
  for: fixed('healthy', 'running', 'stopped', 'idle', 'block=', 'event=', 'message='),
};

/** By how an argument is described, which is the same in all commands. */
const ofArguments: readonly (readonly [RegExp, Source])[] = [
  [/^names? of (?:the )?stacks?(?!; default: dev)/, stacks],
  [/^id of the message/, messages],
  [/^id of the data/, dataItems],
  [/^id of the transfer/, transfers],
  [/^hash of the group/, groups],
  [/^name or id of the pool/, pools],
  [/^name or id of the subscription/, subscriptions],
  [/^name(?:, or name)?@version/, datatypes],
  [/^name(?: or path)? of (?:a|the) template/, templates],
  [/^name of the party/, parties],
  [/^(?:parties, chain|a party, chain)/, services],
  [/^dotted\.path=value/, settingNames],
  [/a topic$/, helpTopics],
];

/** The values that are known of what is wanted. @throws Error when whoever knows them cannot be asked */
export async function valuesOf(
  wanted: Wanted,
  surroundings: Surroundings,
  signal: AbortSignal,
): Promise<readonly Candidate[]> {
  const source =
    wanted.kind === 'flag' ? flagSource(wanted) : ofArguments.find(([pattern]) => pattern.test(wanted.name))?.[1];
  if (source === undefined) return [];
  const values = await source(wanted, surroundings, signal);
  return startingWith(wanted.typed, values).map(({ value, description }) => ({
    value: `${wanted.head}${value}`,
    description: description === undefined ? undefined : safe(description),
  }));
}

/** What a token operation sends along is a payload, and `logs --message` an id; `-n` of `init` names new parties. */
function flagSource({ name, command }: Wanted): Source | undefined {
  if (name === 'message' && command !== 'logs') return undefined;
  if (name === 'parties' && command === 'init') return undefined;
  return Object.hasOwn(ofFlags, name) ? ofFlags[name] : undefined;
}
