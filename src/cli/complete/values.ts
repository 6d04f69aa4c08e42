import { defaults } from '../../stack/definition/definition.js';
import { readFaults } from '../../stack/faults.js';
import { placeFrom } from '../../stack/layout.js';
import { locateStack, selectStack } from '../../stack/places/locate.js';
import { readRegistry } from '../../stack/places/registry.js';
import { snapshotNames } from '../../stack/snapshot/places.js';
import { readStackFile } from '../../stack/definition/stack-file.js';
import { listTemplates } from '../../stack/templates/template.js';
import { faultText } from '../../wire/network/faults.js';
import { topicNames } from '../help/help-topics.js';
import { leavesOf } from '../requests/leaves.js';
import type { CommandContext } from '../requests/target.js';
import { safe } from '../terminal/text.js';
import { findTriggers } from '../trigger/find.js';
import type { nodeValues } from './node-values.js';
import type { Source } from './source.js';
import { type Candidate, stackArgument, startingWith, type Wanted } from './words.js';

const fixed =
  (...values: readonly string[]): Source =>
  () =>
    Promise.resolve(values.map((value) => ({ value })));

const durations = fixed('10s', '30s', '1m', '5m');

const stacks: Source = async (_, { environment }) => {
  const registry = await readRegistry(placeFrom(environment));
  return Object.entries(registry).map(([value, { template }]) => ({ value, description: template }));
};

const templates: Source = async (_, { environment }) => {
  const found = await listTemplates(placeFrom(environment));
  return found.map(({ name, from }) => ({ value: name, description: from }));
};

/** The stack that the typed words or the environment select. */
async function stackFor({ given }: Wanted, context: CommandContext) {
  const place = placeFrom(context.environment);
  const named = given.get('stack') ?? (context.environment['STACK_NAME'] || undefined);
  const { name } = await selectStack(place, { given: named, workingDirectory: () => process.cwd() });
  return locateStack(place, name);
}

async function settingsFor(wanted: Wanted, context: CommandContext) {
  return readStackFile((await stackFor(wanted, context)).definitionFile);
}

const snapshots: Source = async (wanted, context) =>
  (await snapshotNames((await stackFor(wanted, context)).layout)).map((value) => ({ value }));

const parties: Source = async (wanted, context) => {
  const settings = await settingsFor(wanted, context);
  return settings.parties.map(({ name, organization }) => ({ value: name, description: organization }));
};

const services: Source = async (wanted, context, signal) => [
  ...(await parties(wanted, context, signal)),
  { value: 'chain' },
  { value: 'store' },
];

const namespaces: Source = async (wanted, context) =>
  (await settingsFor(wanted, context)).namespaces.map((value) => ({ value }));

const connectors: Source = async (wanted, context) =>
  (await settingsFor(wanted, context)).tokens.connectors.map((value) => ({ value }));

const faults: Source = async (wanted, context) => {
  const { layout } = await stackFor(wanted, context);
  return (await readFaults(layout)).map((fault) => ({ value: fault.id, description: faultText(fault) }));
};

const triggers: Source = async ({ given }, context) => {
  const found = await findTriggers({ stack: given.get('stack') }, context);
  return found.map(({ name, from }) => ({ value: name, description: from }));
};

const settingNames: Source = () =>
  Promise.resolve(
    leavesOf(defaults).map(([path, value]) => ({ value: `${path}=`, description: JSON.stringify(value) })),
  );

const helpTopics: Source = () => Promise.resolve(topicNames.map((value) => ({ value, description: 'topic' })));

/** A source that queries the selected node, loaded on first use. */
function nodeSource(name: keyof typeof nodeValues): Source {
  return async (wanted, context, signal) => {
    const { nodeValues: sources } = await import('./node-values.js');
    return sources[name](wanted, context, signal);
  };
}

const flagSources: Readonly<Record<string, Source>> = {
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
  pool: nodeSource('pools'),
  datatype: nodeSource('datatypes'),
  durable: nodeSource('subscriptions'),
  tag: nodeSource('tags'),
  topic: nodeSource('topics'),
  topics: nodeSource('topics'),
  group: nodeSource('groups'),
  'data-id': nodeSource('dataItems'),
  message: nodeSource('messages'),
  set: settingNames,
  wait: fixed('none', 'local', 'all'),
  since: fixed('newest', 'oldest', '5m', '1h'),
  first: fixed('newest', 'oldest'),
  timeout: durations,
  'from-snapshot': snapshots,
  'port-base': fixed('auto'),
  for: fixed('healthy', 'running', 'stopped', 'idle', 'block=', 'event=', 'message='),
};

/** Sources by the description of an argument, which is the same in all commands. */
const argumentSources: readonly (readonly [RegExp, Source])[] = [
  [stackArgument, stacks],
  [/^id of the message/, nodeSource('messages')],
  [/^id of the data/, nodeSource('dataItems')],
  [/^id of the transfer/, nodeSource('transfers')],
  [/^hash of the group/, nodeSource('groups')],
  [/^name or id of the pool/, nodeSource('pools')],
  [/^name or id of the subscription/, nodeSource('subscriptions')],
  [/^name(?:, or name)?@version/, nodeSource('datatypes')],
  [/^name(?: or path)? of (?:a|the) template/, templates],
  [/^name of the party/, parties],
  [/^id of the fault/, faults],
  [/^name of the snapshot/, snapshots],
  [/^(?:parties|party), chain/, services],
  [/^dotted\.path=value/, settingNames],
  [/^name or path of a trigger/, triggers],
  [/^command or topic$/, helpTopics],
];

/** The known values for a flag or argument. @throws Error if they cannot be queried */
export async function valuesOf(
  wanted: Wanted,
  context: CommandContext,
  signal: AbortSignal,
): Promise<readonly Candidate[]> {
  const source =
    wanted.kind === 'flag' ? flagSource(wanted) : argumentSources.find(([pattern]) => pattern.test(wanted.name))?.[1];
  if (source === undefined) return [];
  const values = await source(wanted, context, signal);
  return startingWith(wanted.typed, values).map(({ value, description }) => ({
    value: `${wanted.head}${value}`,
    description: description === undefined ? undefined : safe(description),
  }));
}

/** Flags that have another meaning in some commands, and so another source or none. */
const exceptions: ReadonlyMap<string, Source | undefined> = new Map([
  ['mint --message', undefined],
  ['transfer --message', undefined],
  ['burn --message', undefined],
  ['init --parties', undefined],
  ['run --parties', undefined],
  ['events forward --to', undefined],
  ['node rebuild --from', undefined],
  ['template new --from', templates],
  ['reset --to', snapshots],
  ['fault cut --for', durations],
  ['fault delay --for', durations],
  ['fault drop --for', durations],
]);

function flagSource({ name, command }: Wanted): Source | undefined {
  const key = `${command} --${name}`;
  if (exceptions.has(key)) return exceptions.get(key);
  return Object.hasOwn(flagSources, name) ? flagSources[name] : undefined;
}
