import { dirname } from 'node:path';
import { loadStack, type LocatedStack, type Stack } from '../../../stack/places/locate.js';
import { stackStatus } from '../../../stack/status.js';
import { CliError } from '../../errors/exit.js';
import type { CommandContext } from '../../requests/target.js';
import { runHooks } from '../starting/after-start.js';

/**
 * Runs the stop hooks of a running stack. Resolves with the failure of a hook, which must not prevent the stop.
 */
export async function beforeStop(located: LocatedStack, context: CommandContext): Promise<CliError | undefined> {
  const stack = await definedStack(located);
  if (stack === undefined || stack.settings.hooks.stop.length === 0) return undefined;
  const { env, state } = await stackStatus(stack);
  if (state === 'stopped') return undefined;
  const { name, definitionFile, settings } = stack;
  try {
    const hookContext = {
      name,
      env,
      directory: dirname(definitionFile),
      when: 'stop',
      state: ' The stack is stopped.',
    } as const;
    await runHooks(settings.hooks.stop, hookContext, context);
    return undefined;
  } catch (error) {
    if (error instanceof CliError) return error;
    throw error;
  }
}

/** A stack with its settings; undefined if its definition is invalid, which must not prevent the stop. */
async function definedStack({ place, name }: LocatedStack): Promise<Stack | undefined> {
  try {
    return await loadStack(place, name);
  } catch (error) {
    if (error instanceof Error && error.name === 'StackError') return undefined;
    throw error;
  }
}
