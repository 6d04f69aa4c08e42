import { CliError } from '../errors/exit.js';
import type { CommandContext, Target } from '../requests/target.js';

/** Adds to the hint of a timeout why the chain has not recorded the call; returns other errors unchanged. */
export async function withDelay(error: unknown, target: Target, context: CommandContext): Promise<unknown> {
  if (!(error instanceof CliError) || error.code !== 'TIMEOUT') return error;
  // Loaded only now, since most commands end in time.
  const { explainUnmined } = await import('./brief.js');
  const reasons = await explainUnmined(target, context);
  const { message, hint = '', details } = error;
  return new CliError('TIMEOUT', message, {
    hint: reasons === '' ? hint : `${reasons} · ${hint}`,
    details,
    cause: error,
  });
}
