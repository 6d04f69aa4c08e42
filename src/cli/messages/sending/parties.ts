import type { Answer } from '../../../client/client.js';
import { ClientError, UnreachableError } from '../../../client/errors.js';
import type { Message } from '../../../wire/messages/message.js';
import { CliError } from '../../errors/exit.js';
import { awayText } from '../../errors/node-down.js';
import { resolveMessageId } from '../../requests/ids.js';
import { withMember } from '../../requests/json-text.js';
import { type Column, printTable } from '../../terminal/table.js';
import { openParties, type PartyNode, type CommandContext, type TargetFlags } from '../../requests/target.js';
import { safe } from '../../terminal/text.js';
import { textOf } from '../../../wire/json/json.js';

/** The record of a message at one party. */
export interface PartyRecord {
  readonly party: PartyNode;
  /** Undefined if the node does not have the message, or does not respond. */
  readonly answer: Answer<Message> | undefined;
  readonly note: string;
}

/** `stack messages get ID --party all`: prints a row for each party, including unreachable ones. */
export async function showEverywhere(
  flags: TargetFlags & { readonly id: string },
  context: CommandContext,
): Promise<void> {
  const { parties } = await openParties(flags, context);
  const id = await findSomewhere(parties, flags.id);
  const records = await Promise.all(parties.map((party) => recordAt(party, id)));
  const { output } = context;
  if (output.isJson) {
    const members = records.map(
      ({ party, answer, note }) => `${textOf(party.name)}:${answer?.text ?? textOf({ note })}`,
    );
    await output.json(withMember(textOf({ schemaVersion: 1, id }), 'parties', `{${members.join(',')}}`));
  } else if (output.isQuiet) {
    await output.out.write(records.map(({ answer }) => `${answer?.value.state ?? 'unknown'}\n`).join(''));
  } else {
    await output.line(id);
    await printTable(output, records, columns, { hasHeaders: true });
  }
}

const columns: readonly Column<PartyRecord>[] = [
  { name: 'party', text: ({ party }) => party.name },
  { name: 'state', text: ({ answer }) => safe(answer?.value.state ?? '-') },
  { name: 'decided', text: ({ answer }) => safe(answer?.value.confirmed ?? answer?.value.rejected ?? '-') },
  { name: 'note', text: ({ answer, note }) => safe(answer?.value.rejectReason ?? note) },
];

/** The record of a message at a party. @throws ClientError for refusals other than "not found" */
export async function recordAt(party: PartyNode, id: string): Promise<PartyRecord> {
  try {
    return { party, answer: await party.client.getMessage({ path: { msgid: id }, query: { data: true } }), note: '' };
  } catch (error) {
    if (error instanceof UnreachableError) return { party, answer: undefined, note: awayText(error) };
    if (!(error instanceof ClientError) || error.status !== 404) throw error;
    return { party, answer: undefined, note: 'knows no such message' };
  }
}

/** Resolves an id at the first party that knows it. @throws CliError NOT_FOUND, NOT_RUNNING, USAGE */
export async function findSomewhere(parties: readonly PartyNode[], typed: string): Promise<string> {
  let away: UnreachableError | undefined;
  for (const { client } of parties) {
    try {
      const id = await resolveMessageId(client, typed);
      await client.getMessage({ path: { msgid: id } });
      return id;
    } catch (error) {
      const isAbsent = (error instanceof CliError && error.code === 'NOT_FOUND') || isNotFound(error);
      if (error instanceof UnreachableError) away = error;
      else if (!isAbsent) throw error;
    }
  }
  if (away !== undefined) throw away;
  throw new CliError('NOT_FOUND', `There is no message ${typed}.`);
}

function isNotFound(error: unknown): boolean {
  return error instanceof ClientError && error.status === 404;
}
