import { compareSnapshots, type PartyDifference, type SnapshotDifference } from '../../stack/snapshot/diff.js';
import type { SavedMessage } from '../../stack/snapshot/database.js';
import type { CommandResult } from '../base.js';
import { findStack, type CommandContext } from '../requests/target.js';
import { safe, shortId } from '../terminal/text.js';

/** Maximum number of changes of a kind that are shown for a party; JSON has all. */
const maxShown = 10;

/** `stack snapshot diff`. @throws StackError as `compareSnapshots` */
export async function diffSnapshots(
  { first, second, stack }: { readonly first: string; readonly second: string; readonly stack?: string | undefined },
  context: CommandContext,
): Promise<CommandResult> {
  const located = await findStack({ stack }, context);
  const difference = await compareSnapshots(located, first, second);
  const { before, after, parties } = difference;
  return {
    json: {
      before: { name: first, block: before.chain.block, savedAt: before.savedAt },
      after: { name: second, block: after.chain.block, savedAt: after.savedAt },
      same: isSame(difference),
      parties,
    },
    text: textOf(difference, { first, second }, context),
    primary: isSame(difference) ? 'same' : 'different',
  };
}

function isSame({ parties, before, after }: SnapshotDifference): boolean {
  return before.chain.hash === after.chain.hash && parties.every((party) => countOf(party) === 0);
}

function countOf({ added, removed, changed, balances }: PartyDifference): number {
  return added.length + removed.length + changed.length + balances.length;
}

function textOf(
  difference: SnapshotDifference,
  { first, second }: { readonly first: string; readonly second: string },
  { output }: CommandContext,
): string {
  const { before, after, parties } = difference;
  const { paint } = output.out;
  const [from, to] = [`block ${before.chain.block}`, `block ${after.chain.block}`];
  const head = `${paint('bold', `${first} → ${second}`)} · ${from} → ${to}`;
  if (isSame(difference)) return `${head}\nNo difference: the same chain, messages and balances.`;
  return [head, ...parties.flatMap((party) => partyLines(party, output.out))].join('\n');
}

/** The lines of a party, with short ids on a terminal. */
export function partyLines(
  party: PartyDifference,
  { paint, isTerminal }: Pick<CommandContext['output']['out'], 'paint' | 'isTerminal'>,
): string[] {
  const idText = (id: string) => (isTerminal ? shortId(id) : id);
  const { added, removed, changed, balances } = party;
  if (countOf(party) === 0) return [`${party.party}: no difference`];
  const counts = [
    ...(added.length > 0 ? [`${added.length} new`] : []),
    ...(removed.length > 0 ? [`${removed.length} missing`] : []),
    ...(changed.length > 0 ? [`${changed.length} changed`] : []),
  ];
  const messages = counts.length === 0 ? 'no message differs' : `messages: ${counts.join(', ')}`;
  return [
    `${party.party}: ${messages}`,
    ...shown(added, (message) => `  ${paint('green', '+')} ${messageText(message, idText)}`),
    ...shown(removed, (message) => `  ${paint('red', '-')} ${messageText(message, idText)}`),
    ...shown(changed, ({ id, before, after }) => `  ${paint('yellow', '~')} ${idText(id)} ${before} → ${after}`),
    ...shown(balances, ({ pool, tokenIndex, key, before, after }) => {
      const token = tokenIndex === '' ? '' : ` #${tokenIndex}`;
      return `  ${paint('yellow', '~')} ${safe(`${pool}${token} of ${key}: ${before} → ${after}`)}`;
    }),
  ];
}

function messageText({ id, type, state }: SavedMessage, idText: (id: string) => string): string {
  return safe(`${idText(id)} ${type} ${state}`);
}

function shown<Row>(rows: readonly Row[], textOfRow: (row: Row) => string): string[] {
  const lines = rows.slice(0, maxShown).map(textOfRow);
  return rows.length > maxShown ? [...lines, `    and ${rows.length - maxShown} more`] : lines;
}
