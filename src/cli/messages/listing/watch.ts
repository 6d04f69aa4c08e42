import type { watchFlags } from './flags.js';
import type { FlagsOf } from '../../flag-types.js';
import { setTimeout as sleep } from 'node:timers/promises';
import { isFinal } from '../../../client/wait.js';
import { textOf } from '../../../wire/json/json.js';
import { durationMs } from '../../duration.js';
import { CliError } from '../../errors/exit.js';
import { createGroups } from './groups.js';
import { withMember } from '../../requests/json-text.js';
import { findSomewhere, type PartyRecord, recordAt } from '../sending/parties.js';
import type { Output } from '../../terminal/output.js';
import { openParties, type CommandContext } from '../../requests/target.js';
import { safe, shortId } from '../../terminal/text.js';

export type WatchFlags = FlagsOf<typeof watchFlags> & {
  readonly id: string;
};

const pollMs = 100;

/**
 * `stack messages watch`: prints a line for each change of a message's state, until the message is final at every
 * selected party that must receive it.
 *
 * @throws CliError NOT_FOUND, TIMEOUT, REJECTED; ClientError
 */
export async function watchMessage(flags: WatchFlags, context: CommandContext): Promise<void> {
  const { output } = context;
  const timeoutMs = durationMs(flags.timeout, '--timeout');
  const begunMs = performance.now();
  const { target, parties } = await openParties(flags, context);
  const id = await findSomewhere(parties, flags.id);
  const printed = new Map<string, string>();
  let watched = parties;
  let isNarrowed = parties.length === 1;
  for (;;) {
    const records = await Promise.all(watched.map((party) => recordAt(party, id)));
    const holder = records.find(({ answer }) => answer !== undefined);
    if (!isNarrowed && holder?.answer !== undefined) {
      // Parties outside the group never receive a private message.
      const concerned = await createGroups({ ...target, party: holder.party }).partiesOf(holder.answer.value);
      watched = parties.filter((party) => concerned.includes(party));
      isNarrowed = true;
    }
    for (const record of records) {
      const shown = stateOf(record);
      if (!watched.includes(record.party)) continue;
      if (printed.get(record.party.name) === shown) continue;
      printed.set(record.party.name, shown);
      await printChange(record, id, output);
    }
    const open = records.filter((record) => watched.includes(record.party) && !isDecided(record));
    if (open.length === 0) {
      requireConfirmed(records, id);
      return;
    }
    if (timeoutMs > 0 && performance.now() - begunMs > timeoutMs) {
      const names = open.map(({ party }) => party.name).join(', ');
      throw new CliError('TIMEOUT', `Not final at ${names} within ${flags.timeout}.`, { details: { id } });
    }
    await sleep(pollMs);
  }
}

function isDecided({ answer }: PartyRecord): boolean {
  return answer !== undefined && isFinal(answer.value);
}

function stateOf({ answer, note }: PartyRecord): string {
  return answer?.value.state ?? note;
}

async function printChange(record: PartyRecord, id: string, output: Output): Promise<void> {
  const { party, answer } = record;
  if (output.isJson) {
    const known = textOf({ schemaVersion: 1, party: party.name });
    const text = answer?.text ?? textOf({ schemaVersion: 1, id, note: record.note });
    await output.record(withMember(text, 'stack', known));
  } else if (output.isQuiet) await output.line(stateOf(record));
  else {
    const shown = output.out.isTerminal ? shortId(id) : id;
    const reason = answer?.value.rejectReason;
    const words = [
      new Date().toISOString(),
      party.name,
      shown,
      stateOf(record),
      ...(reason === undefined ? [] : [reason]),
    ];
    await output.line(words.map(safe).join(' '));
  }
}

function requireConfirmed(records: readonly PartyRecord[], id: string): void {
  const refused = records.find(({ answer }) => answer !== undefined && answer.value.state !== 'confirmed');
  if (refused?.answer === undefined) return;
  const { state, rejectReason } = refused.answer.value;
  const reason = rejectReason ?? 'no reason was given';
  throw new CliError('REJECTED', `The message ended ${state} at ${refused.party.name}: ${reason}`, { details: { id } });
}
