import type { CommandContext } from '../requests/target.js';
import { safe } from '../terminal/text.js';
import { type MethodFlags, prepareCall } from './method.js';

/**
 * `stack contract query`: calls a method without a transaction, and prints the result as served.
 *
 * @throws CliError NOT_FOUND, USAGE; ClientError, UnreachableError
 */
export async function queryContract(flags: MethodFlags, context: CommandContext): Promise<void> {
  const { target, path, input } = await prepareCall(flags, context);
  const { text } = await target.party.client.queryContractApi({ path, body: { input } });
  const { output } = context;
  if (output.isQuiet) await output.line(safe(text));
  else await output.json(text);
}
