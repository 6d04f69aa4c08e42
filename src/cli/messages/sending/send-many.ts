import type { BaseCommand } from '../../base.js';
import { type BulkResult, sendAll } from './bulk.js';
import { ratePerSecond } from '../../duration.js';
import { CliError, exitNameOf } from '../../errors/exit.js';
import { failureOf, printFailure } from '../../errors/failure.js';
import type { CommandContext } from '../../requests/target.js';
import { plural, spanOf } from '../../terminal/text.js';

/** The context of a command that prints several failures. */
export type SendContext = CommandContext & Pick<BaseCommand, 'repeatFlags'>;

export interface ManyOptions<Item, Outcome> {
  readonly items: AsyncIterable<Item>;
  readonly send: (item: Item) => Promise<Outcome>;
  readonly print: (outcome: Outcome) => Promise<void>;
  /** Such as `10/s`. */
  readonly rate: string | undefined;
  readonly concurrency: number;
  readonly isKeepGoing: boolean;
}

/** Sends many messages and prints a summary (docs/operations.md §11.5). @throws CliError with the first exit code */
export async function sendMany<Item, Outcome>(
  { rate, print, ...options }: ManyOptions<Item, Outcome>,
  context: SendContext,
): Promise<void> {
  const { output, program } = context;
  const codes: number[] = [];
  let printed = 0;
  const result = await sendAll({
    ...options,
    ratePerSecond: rate === undefined ? undefined : ratePerSecond(rate),
    sent: async (outcome) => {
      printed++;
      await print(outcome);
    },
    failed: async (error) => {
      const { hint, ...failure } = failureOf(error, program);
      const shown = { ...failure, hint: hint && context.repeatFlags(hint) };
      codes.push(shown.exitCode);
      await printFailure(output, shown, error);
    },
  }).catch(async (error: unknown) => {
    if (!output.isJson) await output.note(`${plural(printed, 'message')} sent before the failure.`);
    throw error;
  });
  if (!output.isJson) await output.note(summaryOf(result));
  if (result.failed === 0) return;
  const message = `${result.failed} of ${plural(result.failed + result.sent, 'message')} failed.`;
  throw new CliError(exitNameOf(codes[0]), message, { isPrinted: true });
}

function summaryOf({ sent, failed, spentMs }: BulkResult): string {
  const rate = spentMs > 0 ? ` (${Math.round((sent * 1_000) / spentMs)}/s)` : '';
  return `${plural(sent, 'message')} sent in ${spanOf(spentMs)}${rate}${failed > 0 ? `, ${failed} failed` : ''}.`;
}
