import { ClientError, UnreachableError } from '../../client/errors.js';
import { type Parameters, readAll, readPage, type RecordOf } from '../../client/page.js';
import type { Message } from '../../wire/messages/message.js';
import { messageCollection } from '../messages/listing/table.js';
import { messageParameters } from '../messages/listing/filters.js';
import { CliError } from '../errors/exit.js';
import { awayText } from '../errors/node-down.js';
import type { PartyNode, Target } from '../requests/target.js';
import { chooseParty } from '../party/choose-party.js';
import type { Selectors } from './parse.js';

/** Checks an assertion. Resolves with the state that was found instead; undefined if the assertion is met. */
export type Check = () => Promise<string | undefined>;

/** Checks an assertion at one party. Resolves as `Check`. */
export type CheckAt = (party: PartyNode) => Promise<string | undefined>;

/** The parties that an assertion is about. @throws CliError NOT_FOUND */
export function partiesOf(names: readonly string[], { stack, party, parties }: Target): readonly PartyNode[] {
  if (names.length === 0) return [party];
  if (names.includes('all')) return parties;
  const chosen = names.map((name) => chooseParty(parties, name, stack ?? party.url));
  return parties.filter(({ name }) => chosen.includes(name));
}

/** Checks every party. A party that is away does not meet the assertion. @throws ClientError, as `checkAt` */
export async function checkEach(parties: readonly PartyNode[], checkAt: CheckAt): Promise<string | undefined> {
  const reasons = await Promise.all(
    parties.map(async (party) => {
      const reason = await unlessAway(() => checkAt(party));
      return reason === undefined ? [] : [`${party.name}: ${reason}`];
    }),
  );
  const found = reasons.flat();
  return found.length === 0 ? undefined : found.join('; ');
}

/** Reads from a party; returns a description of the failure if the node is away or still starting. */
export async function unlessAway<Value>(read: () => Promise<Value>): Promise<Value | string> {
  try {
    return await read();
  } catch (error) {
    const isStarting = error instanceof ClientError && error.status === 503;
    if (error instanceof UnreachableError) return awayText(error);
    if (isStarting) return 'does not answer';
    throw error;
  }
}

/** All messages of a party that meet the selectors. @throws CliError USAGE for an ambiguous id; ClientError */
export async function findMessages(
  { client }: PartyNode,
  selectors: Selectors,
  hasData = false,
): Promise<readonly Message[]> {
  const { id } = selectors;
  const flags = { ...selectors, pending: false, confirmed: false, 'with-data': hasData };
  const parameters: Parameters = [
    ...messageParameters(flags, Date.now()),
    ...(id === undefined ? [] : [['id', id.length === 36 ? id : `^${id}`] as const]),
  ];
  const found: Message[] = [];
  for await (const page of readAll(client, 'listMessages', parameters, messageCollection(false).keys)) {
    found.push(...page.map(({ value }) => value));
  }
  if (id !== undefined && found.length > 1) {
    const ids = found.slice(0, maxCandidates).map(({ header }) => header.id);
    throw new CliError('USAGE', `Several messages begin with ${id}: ${ids.join(', ')}.`);
  }
  return found;
}

const maxCandidates = 10;

/** Data items whose id begins like this: at most two, which shows whether the beginning is ambiguous. */
export async function findData({ client }: PartyNode, id: string): Promise<readonly RecordOf<'listData'>[]> {
  const value = id.length === 36 ? id : `^${id}`;
  const { entries } = await readPage(client, 'listData', [
    ['id', value],
    ['limit', '2'],
  ]);
  return entries.map(({ value: item }) => item);
}

/** Reads the events of a party in steps. */
export interface EventReader {
  /** Returns the events since the last call. @throws ClientError, UnreachableError */
  next(): Promise<readonly RecordOf<'listEvents'>[]>;
}

const pageSize = 1_000;

/** Reads the events after a sequence that match parameters of the list, with the records they refer to. */
export function createEventReader({ client }: PartyNode, parameters: Parameters, after = 0): EventReader {
  let behind = after;
  return {
    async next() {
      const found: RecordOf<'listEvents'>[] = [];
      for (;;) {
        const { entries } = await readPage(client, 'listEvents', [
          ...parameters,
          ['sequence', `[>${behind}`],
          ['sort', 'sequence'],
          ['limit', String(pageSize)],
          ['fetchreferences', 'true'],
        ]);
        found.push(...entries.map(({ value }) => value));
        behind = entries.at(-1)?.value.sequence ?? behind;
        if (entries.length < pageSize) return found;
      }
    },
  };
}
