import type { Surroundings } from '../requests/target.js';
import { safe } from '../terminal/text.js';
import { type MethodWords, prepareCall } from './method.js';

/**
 * `stack contract query`: queries a contract, without changes, and prints the result as served.
 *
 * @throws CliError NOT_FOUND, USAGE; ClientError, UnreachableError
 */
export async function queryContract(words: MethodWords, surroundings: Surroundings): Promise<void> {
  const { target, path, input } = await prepareCall(words, surroundings);
  const { text } = await target.party.client.queryContractApi({ path, body: { input } });
  const { output } = surroundings;
  if (output.isQuiet) await output.line(safe(text));
  else await output.json(text);
}
