import { CliError } from '../../errors/exit.js';
import { hasPlaceholder } from '../listing/expand.js';
import type { ProgressKind } from '../../terminal/progress.js';
import type { WaitScope } from './send.js';
import type { TargetFlags } from '../../requests/target.js';

/** One item of a message as it was typed. */
export interface ItemWord {
  readonly kind: 'value' | 'text' | 'file' | 'data';
  readonly text: string;
}

/** The flags of `stack broadcast` and `stack send`. */
export interface SendWords extends TargetFlags {
  /** `PAYLOAD`, `--data`, `--text`, `--file` and `--data-id` in the typed order. */
  readonly items: readonly ItemWord[];
  /** Undefined for a broadcast. */
  readonly recipients: RecipientWords | undefined;
  readonly autometa: boolean;
  readonly datatype?: string | undefined;
  readonly tag?: string | undefined;
  readonly topic?: readonly string[] | undefined;
  readonly author?: string | undefined;
  readonly key?: string | undefined;
  readonly wait?: WaitScope | undefined;
  readonly 'no-wait': boolean;
  readonly timeout: string;
  readonly idempotent?: string | undefined;
  readonly 'dry-run': boolean;
  readonly curl: boolean;
  readonly progress: ProgressKind;
  readonly lines: boolean;
  readonly count?: number | undefined;
  readonly expand: boolean;
  readonly rate?: string | undefined;
  readonly concurrency: number;
  readonly 'keep-going': boolean;
}

export interface RecipientWords {
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
export function isBulk(words: SendWords): boolean {
  return words.lines || words.count !== undefined;
}

/** Whether `{{…}}` is replaced. */
export function isExpanding(words: SendWords): boolean {
  return words.expand || words.count !== undefined;
}

/** The named recipients, without duplicates. */
export function recipientNames({ to }: RecipientWords): string[] {
  return [...new Set(to.flatMap((list) => list.split(',')).map((name) => name.trim()))].filter((name) => name !== '');
}

/** Checks the flags before anything is read or sent. @throws CliError USAGE */
export function checkWords(words: SendWords, program: string): void {
  checkItems(words, program);
  if (!isBulk(words) && words.rate !== undefined) throw usage('--rate needs --count or --lines.');
  if (isBulk(words) && words.idempotent !== undefined && !(isExpanding(words) && hasPlaceholder(words.idempotent))) {
    throw usage('Many messages need many idempotency keys.', "Put {{n}} into it: --expand --idempotent 'load-{{n}}'");
  }
  const { recipients } = words;
  if (recipients === undefined) return;
  const names = recipientNames(recipients);
  if (names.length === 0 && recipients.group === undefined) {
    throw usage('Whom is it for?', `Name parties: ${program} send --to bob '…', or a group: --group HASH`);
  }
  if (recipients.to.length > 0 && recipients.group !== undefined) throw usage('--to and --group exclude each other.');
}

function checkItems(words: SendWords, program: string): void {
  const { items, lines } = words;
  const hasValue = items.some(({ kind }) => kind === 'value' || kind === 'text');
  if (lines && hasValue) throw usage('--lines takes its messages from stdin: give no other payload.');
  if (lines && words.count !== undefined) throw usage('--lines and --count exclude each other.');
  // A private message may consist of just its tag (docs/api.md §10.2).
  const isComplete = items.length > 0 || lines || (words.recipients !== undefined && words.tag !== undefined);
  if (!isComplete) {
    const command = words.recipients === undefined ? 'broadcast' : 'send --to bob';
    throw usage('A payload is missing.', `For example: ${program} ${command} '{"hello":"world"}'`);
  }
  const readers = items.filter(({ kind, text }) => text === '-' && (kind === 'value' || kind === 'file'));
  if (readers.length + (lines ? 1 : 0) > 1) throw usage('- (stdin) can be read once only.');
  if (words.datatype !== undefined && !hasValue && !lines) throw usage('--datatype needs a value that has it.');
}

function usage(message: string, hint?: string): CliError {
  return new CliError('USAGE', message, { hint });
}
