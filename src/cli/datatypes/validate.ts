import { datatypeName } from './name.js';
import { CliError } from '../errors/exit.js';
import { loadText, payloadSource, payloadValue } from '../requests/payload.js';
import { readAll } from '../terminal/stdin.js';
import { openTarget, type CommandContext, type TargetFlags } from '../requests/target.js';
import { safe } from '../terminal/text.js';

/**
 * `stack datatype validate`: asks the node to validate a value, without storing anything.
 *
 * @throws CliError USAGE, REJECTED if the value is invalid; ClientError, UnreachableError
 */
export async function validateValue(
  flags: TargetFlags & { readonly datatype: string; readonly payload: string },
  context: CommandContext,
): Promise<void> {
  const path = datatypeName(flags.datatype);
  const value = payloadValue(await loadText(payloadSource(flags.payload), () => readAll(process.stdin)));
  const { party } = await openTarget(flags, context);
  const answer = await party.client.validateDatatype({ path, body: { value } });
  const { valid, errors } = answer.value;
  const { output } = context;
  if (output.isJson) await output.json(answer.text);
  else if (output.isQuiet) await output.line(String(valid));
  else if (valid) await output.line(`${output.out.isTerminal ? `${output.out.paint('green', '✓')} ` : ''}valid`);
  else
    for (const error of errors)
      await output.line(safe(`${error.path === '' ? '(the value)' : error.path}: ${error.message}`));
  if (!valid) {
    throw new CliError('REJECTED', `The value does not conform to ${flags.datatype}.`, { isPrinted: output.isJson });
  }
}
