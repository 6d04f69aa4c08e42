import type { DeliveredEvent } from '../../wire/events/event.js';
import { textOf } from '../../wire/json/json.js';
import { createEventSubject } from './subject.js';
import { createGroups, type Groups } from '../messages/listing/groups.js';
import type { ReadFrom } from './connection-notes.js';
import type { PartyEvent } from './follow.js';
import { withMember } from '../requests/json-text.js';
import type { Output, Style } from '../terminal/output.js';
import type { PartyNode, Target } from '../requests/target.js';
import { linesOf, safe, shortAuthor, shortId } from '../terminal/text.js';

/** An event in the forms in which it is printed. */
export interface EventText {
  /** The event as served, with a last member `stack` from the command line, which has the values if requested. */
  readonly json: string;
  /** One line for a person, escaped. */
  line(): Promise<string>;
}

/**
 * Creates the texts of events; with `hasData` the values of their messages are read and included.
 *
 * The line: `12:30:25.114 bob 42 message_confirmed 3fa85f64 broadcast alice → * tag=order topic=orders-7 {"qty":3}`
 */
export function createEventTexts(options: {
  readonly target: Target;
  readonly readFrom: ReadFrom;
  readonly hasData: boolean;
  readonly output: Output;
}): (event: PartyEvent) => Promise<EventText> {
  const { target, readFrom, hasData, output } = options;
  const groups = new Map<PartyNode, Groups>(
    target.parties.map((party) => [party, createGroups({ ...target, party })] as const),
  );
  const subjects = new Map(target.parties.map((party) => [party, createEventSubject(party)] as const));
  const recipientsOf = async (party: PartyNode, message: DeliveredEvent['message']) =>
    message?.header.group === undefined ? [] : ((await groups.get(party)?.recipientsOf(message)) ?? []);
  return async ({ party, event, text }) => {
    const data =
      hasData && event.message !== undefined ? await readFrom(party, () => dataOf(party, event.reference)) : undefined;
    const known = textOf({ schemaVersion: 1, party: party.name });
    return {
      json: withMember(text, 'stack', data === undefined ? known : withMember(known, 'data', data.text)),
      line: async () => {
        const to = await readFrom(party, () => recipientsOf(party, event.message));
        const subject = (await subjects.get(party)?.(event)) ?? [];
        return shortLine({ party, event, to, values: data?.values ?? [], subject }, target, output);
      },
    };
  };
}

/** The values of a message, as served and one by one. @throws ClientError, UnreachableError */
export async function dataOf(
  { client }: Pick<PartyNode, 'client'>,
  msgid: string,
): Promise<{ readonly text: string; readonly values: readonly string[] }> {
  const { text, value } = await client.getMessageData({ path: { msgid } });
  return { text, values: value.map((item) => item.value) };
}

const partyStyles: readonly Style[] = ['cyan', 'magenta', 'yellow', 'blue', 'green'];

interface Line {
  readonly party: PartyNode;
  readonly event: DeliveredEvent;
  /** The recipients of a private message. */
  readonly to: readonly string[];
  readonly values: readonly string[];
  /** The subject of an event without a message. */
  readonly subject: readonly string[];
}

function shortLine({ party, event, to, values, subject }: Line, target: Target, { out }: Output): string {
  const { isTerminal, paint } = out;
  const style = partyStyles[target.parties.indexOf(party) % partyStyles.length] ?? 'cyan';
  const header = event.message?.header;
  const width = Math.max(...target.parties.map(({ name }) => name.length));
  const whom = header?.group === undefined ? '*' : to.join(',');
  const time = isTerminal ? localTime(event.created) : safe(event.created);
  const name = isTerminal ? party.name.padEnd(width) : party.name;
  const head = `${paint('dim', time)} ${paint(style, name)} `;
  const words = [
    String(event.sequence),
    safe(event.type),
    isTerminal ? shortId(event.reference) : event.reference,
    ...(header === undefined ? [] : [safe(`${header.type} ${shortAuthor(header.author)} → ${whom}`)]),
    ...(header?.tag === undefined ? [] : [safe(`tag=${header.tag}`)]),
    ...(header === undefined ? [] : [safe(`topic=${header.topics.join(',')}`)]),
    ...subject.map(safe),
    ...values.map(safe),
  ];
  if (!isTerminal) return head + words.join(' ');
  // A long line is wrapped with the indentation of its words.
  const used = time.length + name.length + 2;
  return head + linesOf(words, Math.max(minWordsWidth, out.width - used)).join(`\n${' '.repeat(used)}`);
}

const minWordsWidth = 40;

/** The local time of day, with milliseconds. */
function localTime(time: string): string {
  const date = new Date(time);
  const two = (part: number) => String(part).padStart(2, '0');
  const clock = [date.getHours(), date.getMinutes(), date.getSeconds()].map(two).join(':');
  return `${clock}.${String(date.getMilliseconds()).padStart(3, '0')}`;
}
