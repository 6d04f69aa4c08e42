import type { Answer } from '../../../client/client.js';
import { ClientError, UnreachableError } from '../../../client/errors.js';
import type { Data } from '../../../wire/data/data.js';
import { textOf } from '../../../wire/json/json.js';
import { awayText } from '../../errors/node-down.js';
import { resolveMessageId } from '../../requests/ids.js';
import { withMember } from '../../requests/json-text.js';
import { indentJson } from '../../../wire/json/json-indent.js';
import { everyParty } from '../../party/every-party.js';
import { findSomewhere } from './parties.js';
import type { Output } from '../../terminal/output.js';
import {
  openParties,
  openTarget,
  type PartyNode,
  type CommandContext,
  type TargetFlags,
} from '../../requests/target.js';
import { safe, shortId } from '../../terminal/text.js';

/** `stack messages data`, at one party or with `--party all` at each. @throws CliError NOT_FOUND, USAGE; ClientError */
export async function showMessageData(
  flags: TargetFlags & { readonly id: string },
  context: CommandContext,
): Promise<void> {
  const { output } = context;
  if (flags.party === everyParty) {
    await showEverywhere(flags, context);
    return;
  }
  const { party } = await openTarget(flags, context);
  const msgid = await resolveMessageId(party.client, flags.id);
  const { text, value } = await party.client.getMessageData({ path: { msgid } });
  if (output.isJson) await output.json(text);
  else await printItems(value, output);
}

async function showEverywhere(flags: TargetFlags & { readonly id: string }, context: CommandContext): Promise<void> {
  const { output } = context;
  const { parties } = await openParties(flags, context);
  const id = await findSomewhere(parties, flags.id);
  const found = await Promise.all(parties.map(async (party) => ({ party, data: await dataAt(party, id) })));
  if (output.isJson) {
    const members = found.map(({ party, data }) => {
      const text = typeof data === 'string' ? textOf({ note: data }) : data.text;
      return `${textOf(party.name)}:${text}`;
    });
    await output.json(withMember(textOf({ schemaVersion: 1, id }), 'parties', `{${members.join(',')}}`));
    return;
  }
  for (const { party, data } of found) {
    if (!output.isQuiet) await output.line(output.out.paint('bold', party.name));
    if (typeof data === 'string') await output.note(data);
    else await printItems(data.value, output);
  }
}

/** The data of a message at a party, or why it cannot be read. @throws ClientError for other refusals */
async function dataAt({ client }: PartyNode, msgid: string): Promise<Answer<Data[]> | string> {
  try {
    return await client.getMessageData({ path: { msgid } });
  } catch (error) {
    if (error instanceof UnreachableError) return awayText(error);
    if (error instanceof ClientError && error.status === 404) return 'knows no such message';
    throw error;
  }
}

/** Prints each item with its id and its value as it was written; with `--quiet` only the values, one per line. */
async function printItems(items: readonly Data[], output: Output): Promise<void> {
  if (items.length === 0) return;
  if (output.isQuiet) await output.record(items.map(({ value }) => value).join('\n'));
  else await output.line(shownItems(items, output));
}

function shownItems(items: readonly Data[], output: Output): string {
  const { isTerminal, paint } = output.out;
  const shown = items.map((item) => {
    const id = paint('dim', `${isTerminal ? shortId(item.id) : item.id}  ${item.created}`);
    const lines = (isTerminal ? indentJson(item.value) : item.value).split('\n').map(safe);
    return `${id}\n${lines.join('\n')}`;
  });
  return shown.join('\n');
}
