import type { tokenFlags, tokenIndexFlag } from '../flags.js';
import type { FlagsOf } from '../flag-types.js';
import { CliError } from '../errors/exit.js';
import type { ItemWord, Token } from '../messages/sending/send-flags.js';

export type TokenVerb = 'mint' | 'transfer' | 'burn';

/** The flags of `stack mint`, `stack transfer` and `stack burn`. */
export type TokenFlags = FlagsOf<typeof tokenFlags> &
  FlagsOf<typeof tokenIndexFlag> & {
    readonly verb: TokenVerb;
    readonly amount: string;
    readonly to?: string | undefined;
    readonly from?: string | undefined;
    readonly uri?: string | undefined;
    /** `--message` and `--message-file` in the typed order. */
    readonly items: readonly ItemWord[];
  };

const kinds = new Map<string, ItemWord['kind']>([
  ['message', 'value'],
  ['message-file', 'file'],
]);

/** The items of the attached message in the typed order, which the parser's flags do not preserve. */
export function messageWords(tokens: readonly Token[]): ItemWord[] {
  return tokens.flatMap(({ type, flag = '', input }) => {
    const kind = type === 'flag' ? kinds.get(flag) : undefined;
    return kind === undefined ? [] : [{ kind, text: input }];
  });
}

/** The recipients of the attached message, without duplicates; empty = all parties. */
export function messageRecipients({ 'message-to': to = [] }: Pick<TokenFlags, 'message-to'>): string[] {
  return [...new Set(to.flatMap((list) => list.split(',')).map((name) => name.trim()))].filter((name) => name !== '');
}

export function hasMessage(flags: TokenFlags): boolean {
  return flags.items.length > 0 || flags['message-to'] !== undefined;
}

/** Checks the flags before anything is read or sent. @throws CliError USAGE */
export function checkTokenFlags(flags: TokenFlags): void {
  checkAmount(flags.amount);
  const index = flags['token-index'];
  if (index !== undefined && !/^\d{1,78}$/.test(index)) {
    throw usage(`--token-index must be a whole number, not "${index}".`);
  }
  const { items, tag, topic } = flags;
  if (!hasMessage(flags) && (tag !== undefined || topic !== undefined)) {
    throw usage('--tag and --topic belong to a message.', 'Attach one: --message \'{"for":"them"}\'');
  }
  const readers = items.filter(({ text }) => text === '-');
  if (readers.length > 1) throw usage('- (stdin) can be used only once.');
  if (flags['message-to'] === undefined) return;
  if (messageRecipients(flags).length === 0) throw usage('--message-to needs the names of parties.');
  if (items.length > 0 || tag !== undefined) return;
  throw usage('The message is missing.', 'For example: --message \'{"for":"them"}\'');
}

/** Checks an amount. @throws CliError USAGE */
function checkAmount(amount: string): void {
  if (/^\d{1,78}$/.test(amount)) return;
  const hint = 'An amount is a whole number of the smallest unit, without separators.';
  throw usage(`"${amount}" is not an amount.`, hint);
}

function usage(message: string, hint?: string): CliError {
  return new CliError('USAGE', message, { hint });
}
