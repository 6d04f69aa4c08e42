import type { sendFlags } from '../../flags.js';
import type { FlagsOf } from '../../flag-types.js';
import { CliError } from '../../errors/exit.js';
import { hasPlaceholder } from '../listing/expand.js';

/** One item of a message as it was typed. */
export interface ItemWord {
  readonly kind: 'value' | 'text' | 'file' | 'data';
  readonly text: string;
}

/** The flags of `stack broadcast` and `stack send`. */
export type SendFlags = FlagsOf<typeof sendFlags> & {
  /** `PAYLOAD`, `--data`, `--text`, `--file` and `--data-id` in the typed order. */
  readonly items: readonly ItemWord[];
  /** Undefined for a broadcast. */
  readonly recipients: RecipientFlags | undefined;
};

export interface RecipientFlags {
  /** Each may contain several, separated by commas. */
  readonly to: readonly string[];
  readonly group: string | undefined;
  readonly unpinned: boolean;
}

/** A token of oclif's parser, in the typed order. */
export interface Token {
  readonly type: 'arg' | 'flag';
  readonly flag?: string;
  readonly input: string;
}

const kinds = new Map<string, ItemWord['kind']>([
  ['data', 'value'],
  ['text', 'text'],
  ['file', 'file'],
  ['data-id', 'data'],
]);

/** The items of a message in the typed order, which the parser's flags do not preserve (docs/operations.md §11.5). */
export function itemWords(tokens: readonly Token[]): ItemWord[] {
  return tokens.flatMap(({ type, flag = '', input }) => {
    const kind = type === 'arg' ? 'value' : kinds.get(flag);
    return kind === undefined ? [] : [{ kind, text: input }];
  });
}

/** Whether a command sends more than one message. */
export function isBulk(flags: SendFlags): boolean {
  return flags.lines || flags.count !== undefined;
}

export function isExpanding(flags: SendFlags): boolean {
  return flags.expand || flags.count !== undefined;
}

/** The named recipients, without duplicates. */
export function recipientNames({ to }: RecipientFlags): string[] {
  return [...new Set(to.flatMap((list) => list.split(',')).map((name) => name.trim()))].filter((name) => name !== '');
}

/** Checks the flags before anything is read or sent. @throws CliError USAGE */
export function checkSendFlags(flags: SendFlags, program: string): void {
  checkItems(flags, program);
  if (!isBulk(flags) && flags.rate !== undefined) throw usage('--rate needs --count or --lines.');
  if (isBulk(flags) && flags.idempotent !== undefined && !(isExpanding(flags) && hasPlaceholder(flags.idempotent))) {
    throw usage(
      'Each message needs its own idempotency key.',
      "Add the number of the message: --expand --idempotent 'load-{{n}}'",
    );
  }
  const { recipients } = flags;
  if (recipients === undefined) return;
  const names = recipientNames(recipients);
  if (names.length === 0 && recipients.group === undefined) {
    throw usage('The recipients are missing.', `Name parties: ${program} send --to bob '…', or a group: --group HASH`);
  }
  if (recipients.to.length > 0 && recipients.group !== undefined) throw usage('--to and --group exclude each other.');
}

function checkItems(flags: SendFlags, program: string): void {
  const { items, lines } = flags;
  const hasValue = items.some(({ kind }) => kind === 'value' || kind === 'text');
  if (lines && hasValue) throw usage('--lines reads the messages from stdin, so no other payload is allowed.');
  if (lines && flags.count !== undefined) throw usage('--lines and --count exclude each other.');
  // A private message may consist of only a tag (docs/api.md §10.2).
  const isComplete = items.length > 0 || lines || (flags.recipients !== undefined && flags.tag !== undefined);
  if (!isComplete) {
    const command = flags.recipients === undefined ? 'broadcast' : 'send --to bob';
    throw usage('A payload is missing.', `For example: ${program} ${command} '{"hello":"world"}', or - for stdin`);
  }
  const readers = items.filter(({ kind, text }) => text === '-' && (kind === 'value' || kind === 'file'));
  if (readers.length + (lines ? 1 : 0) > 1) throw usage('- (stdin) can be used only once.');
  if (flags.datatype !== undefined && !hasValue && !lines) throw usage('--datatype needs a value.');
}

function usage(message: string, hint?: string): CliError {
  return new CliError('USAGE', message, { hint });
}
