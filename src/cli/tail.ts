import { events, type StreamItem } from '../client/stream.js';
import type { DeliveredEvent } from '../wire/event.js';
import { textOf } from '../wire/json.js';
import { durationMs, limitSignal } from './duration.js';
import { CliError, exitCodes } from './exit.js';
import { withMember } from './json-text.js';
import { merge } from './merge.js';
import { openSocket } from './open-socket.js';
import type { Output, Style } from './output.js';
import { watchReader } from './reader.js';
import { openTarget, type PartyNode, type Surroundings, type Target, type TargetFlags } from './target.js';
import { safe, shortAuthor, shortId } from './text.js';

export interface TailWords extends TargetFlags {
  readonly 'all-parties': boolean;
  readonly type?: string | undefined;
  readonly tag?: string | undefined;
  readonly topic?: string | undefined;
  readonly author?: string | undefined;
  readonly count?: number | undefined;
  readonly until?: string | undefined;
  readonly timeout: string;
  readonly 'with-data': boolean;
  readonly format: 'short' | 'json';
  readonly 'no-reconnect': boolean;
}

interface PartyItem {
  readonly party: PartyNode;
  readonly item: StreamItem;
}

/**
 * `stack events tail`: a line for each event, of one party or of all. Ends after `--count`, `--until`, or when nobody
 * reads any more.
 *
 * @throws CliError TIMEOUT, USAGE; UnreachableError when a node is gone and not to be tried again; ClientError
 */
export async function runTail(words: TailWords, surroundings: Surroundings): Promise<void> {
  const isLast = readUntil(words.until);
  const limit = limitSignal(durationMs(words.timeout, '--timeout'));
  const target = await openTarget(words, surroundings);
  const { output } = surroundings;
  const done = new AbortController();
  const signal = AbortSignal.any([limit, done.signal]);
  const stopWatching = watchReader(() => process.exit(exitCodes.OK));
  const nodes = words['all-parties'] ? target.parties : [target.party];
  const away = new Set<string>();
  let shown = 0;
  try {
    for await (const { party, item } of merge(nodes.map((node) => follow(node, target, words, signal)))) {
      if (item.kind === 'event') {
        await printEvent(party, item, { target, words, output });
        shown++;
        if (shown === words.count || isLast(item.event)) return;
      } else await printChange(party, item, away, output);
    }
  } finally {
    done.abort();
    stopWatching();
  }
  if (limit.aborted) throw new CliError('TIMEOUT', `Time is up after ${words.timeout}; ${shown} events came.`);
}

async function* follow(
  party: PartyNode,
  target: Target,
  words: TailWords,
  signal: AbortSignal,
): AsyncGenerator<PartyItem> {
  const wanted = {
    events: words.type,
    'message.tag': words.tag,
    'message.topics': words.topic,
    'message.author': words.author,
  };
  const filters = Object.fromEntries(
    Object.entries(wanted).flatMap(([key, text]) => (text === undefined ? [] : [[key, text]])),
  );
  const stream = events({
    url: party.url,
    namespace: target.namespace,
    filters,
    openSocket,
    retry: words['no-reconnect'] ? 'never' : words['all-parties'] ? 'always' : 'later',
    signal,
  });
  for await (const item of stream) yield { party, item };
}

const untilFields = new Map<string, (event: DeliveredEvent) => readonly (string | undefined)[]>([
  ['type', ({ type }) => [type]],
  ['tag', ({ message }) => [message?.header.tag]],
  ['topic', ({ message }) => message?.header.topics ?? []],
  ['author', ({ message }) => [message?.header.author, shortAuthor(message?.header.author ?? '')]],
  ['id', ({ reference }) => [reference]],
]);

function readUntil(until: string | undefined): (event: DeliveredEvent) => boolean {
  if (until === undefined) return () => false;
  const [, field = '', value = ''] = /^(\w+)=(.*)$/s.exec(until) ?? [];
  const read = untilFields.get(field);
  if (read === undefined) {
    const known = [...untilFields.keys()].join(', ');
    throw new CliError('USAGE', `--until must be field=value with one of ${known}, not "${until}".`);
  }
  return (event) => read(event).includes(value);
}

interface EventContext {
  readonly target: Target;
  readonly words: TailWords;
  readonly output: Output;
}

type EventItem = Extract<StreamItem, { kind: 'event' }>;

async function printEvent(
  party: PartyNode,
  { event, text }: EventItem,
  { target, words, output }: EventContext,
): Promise<void> {
  const data = words['with-data'] && event.message !== undefined ? await dataOf(party, event.reference) : undefined;
  if (output.isQuiet) await output.line(event.reference);
  else if (output.isJson || words.format === 'json') {
    const known = textOf({ schemaVersion: 1, party: party.name });
    const stack = data === undefined ? known : withMember(known, 'data', data.text);
    await output.line(withMember(text, 'stack', stack));
  } else await output.line(shortLine(party, event, data?.values ?? [], { target, words, output }));
}

async function dataOf(party: PartyNode, msgid: string): Promise<{ text: string; values: readonly string[] }> {
  const { text, value } = await party.client.getMessageData({ path: { msgid } });
  return { text, values: value.map((item) => item.value) };
}

const partyStyles: readonly Style[] = ['cyan', 'magenta', 'yellow', 'blue', 'green'];

/** `12:30:25.114 bob 42 message_confirmed 3fa85f64 broadcast alice → * tag=order topic=orders-7 {"qty":3}` */
function shortLine(
  party: PartyNode,
  event: DeliveredEvent,
  values: readonly string[],
  { target, output }: EventContext,
): string {
  const { isTerminal, paint } = output.out;
  const style = partyStyles[target.parties.indexOf(party) % partyStyles.length] ?? 'cyan';
  const header = event.message?.header;
  const width = Math.max(...target.parties.map(({ name }) => name.length));
  const words = [
    isTerminal ? paint('dim', localTime(event.created)) : safe(event.created),
    paint(style, isTerminal ? party.name.padEnd(width) : party.name),
    String(event.sequence),
    safe(event.type),
    isTerminal ? shortId(event.reference) : event.reference,
    ...(header === undefined ? [] : [safe(`${header.type} ${shortAuthor(header.author)} → *`)]),
    ...(header?.tag === undefined ? [] : [safe(`tag=${header.tag}`)]),
    ...(header === undefined ? [] : [safe(`topic=${header.topics.join(',')}`)]),
    ...values.map(safe),
  ];
  return words.join(' ');
}

/** The time of day here, with milliseconds. */
function localTime(time: string): string {
  const date = new Date(time);
  const two = (part: number) => String(part).padStart(2, '0');
  const clock = [date.getHours(), date.getMinutes(), date.getSeconds()].map(two).join(':');
  return `${clock}.${String(date.getMilliseconds()).padStart(3, '0')}`;
}

/** Says once that a connection is lost, however often it is tried again. */
async function printChange(
  { name }: PartyNode,
  item: Exclude<StreamItem, EventItem>,
  away: Set<string>,
  output: Output,
): Promise<void> {
  const say = (text: string) => output.note(output.err.paint('dim', `# ${safe(text)}`));
  if (item.kind === 'lost') {
    if (!away.has(name)) await say(`no connection to ${name} (${item.reason}); trying again`);
    away.add(name);
  } else if (item.kind === 'open' && !away.has(name)) {
    if (output.isVerbose || (output.err.isTerminal && !output.isJson)) await say(`following ${name}`);
  } else if (away.delete(name)) {
    await say(`connected to ${name}; events in between were not delivered and may be missing here`);
  }
}
