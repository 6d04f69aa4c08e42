import type { approveFlags } from './flags.js';
import type { FlagsOf } from '../flag-types.js';
import { type Entry, readPage } from '../../client/page.js';
import { observe } from '../../client/until.js';
import { textOf } from '../../wire/json/json.js';
import type { TokenApproval } from '../../wire/token.js';
import { durationMs, limitSignal } from '../duration.js';
import { CliError } from '../errors/exit.js';
import { withDelay } from '../explain/overdue.js';
import { withMember } from '../requests/json-text.js';
import { identityWord, ownerText, readOwners, signingKey } from '../requests/owners.js';
import { noteWhileWaiting } from '../terminal/slow-note.js';
import { openTarget, type PartyNode, type CommandContext } from '../requests/target.js';
import { safe } from '../terminal/text.js';
import { requireOpen } from './await.js';
import { withChoices } from './hints.js';

export type ApproveFlags = FlagsOf<typeof approveFlags> & {
  /** A party, organisation, DID or address. */
  readonly operator: string;
};

const types = '^token_approval_(confirmed|op_failed)$';

/**
 * `stack pool approve`: allows another key to move this party's tokens of a pool, or revokes that.
 *
 * @throws CliError USAGE, NOT_FOUND, TIMEOUT, REJECTED if the contract reverted; ClientError, UnreachableError
 */
export async function approveOperator(flags: ApproveFlags, context: CommandContext): Promise<void> {
  const { output, program } = context;
  const timeoutMs = durationMs(flags.timeout, '--timeout');
  const target = await openTarget(flags, context);
  const { party } = target;
  const { pool, revoke } = flags;
  const key = await signingKey(flags.key, target);
  const body = {
    operator: identityWord(target, flags.operator),
    approved: !revoke,
    ...(pool === undefined ? {} : { pool }),
    ...(key === undefined ? {} : { key }),
  };
  const observer = observe({ client: party.client, openSocket: target.openSocket, types });
  const endNotes = noteWhileWaiting(output, () => [party.name]);
  const signal = limitSignal(timeoutMs);
  let accepted: Entry<TokenApproval> | undefined;
  try {
    accepted = await party.client.approveTokens({ body, signal });
    const { value } = accepted;
    const recorded = flags['no-wait']
      ? undefined
      : await observer.until((limit) => recordedAt(party, value, limit), signal);
    await printApproval(recorded ?? accepted, recorded !== undefined, party, context);
  } catch (error) {
    const typed = { pool, to: flags.operator, from: undefined, 'token-index': undefined, key };
    if (!(signal.aborted && error === signal.reason)) throw await withChoices(error, typed, target, program);
    const id = accepted?.value.localId ?? '';
    if (!output.isJson && id !== '') await output.line(id);
    const late = new CliError('TIMEOUT', `The approval was not recorded at ${party.name} within ${flags.timeout}.`, {
      hint: `It may still succeed. See: ${program} api GET 'tokens/approvals?localid=${id}'`,
      details: { id },
    });
    throw await withDelay(late, target, context);
  } finally {
    endNotes();
    observer.close();
  }
}

/** The approval once it is recorded from the chain. @throws CliError REJECTED if the operation has failed */
async function recordedAt(
  party: PartyNode,
  { localId, tx }: TokenApproval,
  signal: AbortSignal,
): Promise<Entry<TokenApproval> | undefined> {
  const { entries } = await readPage(party.client, 'listTokenApprovals', [['localid', localId]], signal);
  if (entries[0] === undefined && tx?.id !== undefined) await requireOpen(party, tx.id, signal);
  return entries[0];
}

async function printApproval(
  { value, text }: Entry<TokenApproval>,
  isDone: boolean,
  { client }: PartyNode,
  { output }: CommandContext,
): Promise<void> {
  if (output.isJson) await output.json(withMember(text, 'stack', textOf({ schemaVersion: 1 })));
  else if (output.isQuiet) await output.line(value.localId);
  else {
    const { isTerminal, paint } = output.out;
    const [owners, pool] = await Promise.all([
      readOwners(client),
      client.getTokenPool({ path: { nameOrId: value.pool } }),
    ]);
    const [operator, owner] = [value.operator, value.key].map((key) => ownerText(key, owners, isTerminal));
    const may = value.approved ? 'may move' : 'may no longer move';
    const mark = isTerminal && isDone ? `${paint('green', '✓')} ` : '';
    const end = isDone ? '' : ' · accepted';
    await output.line(`${mark}${operator ?? ''} ${may} the ${safe(pool.value.name)} of ${owner ?? ''}${end}`);
  }
}
