import type { listenFlags } from './flags.js';
import type { FlagsOf } from '../flag-types.js';
import { textOf } from '../../wire/json/json.js';
import { nearestHint } from '../../wire/lists/query.js';
import { CliError } from '../errors/exit.js';
import { openTarget, type CommandContext } from '../requests/target.js';
import { safe, shortId } from '../terminal/text.js';
import { interfaceOf } from './method.js';

export type ListenFlags = FlagsOf<typeof listenFlags> & {
  /** The name of the contract API. */
  readonly api: string;
  readonly event: string;
};

/**
 * `stack contract listen`: makes the node deliver an event of a contract in its event stream.
 *
 * @throws CliError NOT_FOUND for an unknown event, USAGE; ClientError, UnreachableError
 */
export async function listenToContract(flags: ListenFlags, context: CommandContext): Promise<void> {
  const { api, event, name, topic, first } = flags;
  if (!/^(?:oldest|newest|\d{1,15})$/.test(first)) {
    throw new CliError('USAGE', `--first must be oldest, newest or the number of a block, not "${first}".`);
  }
  const { party } = await openTarget(flags, context);
  const { events = [] } = await interfaceOf(party.client, api);
  const paths = events.map((each) => each.pathname ?? each.name);
  if (!paths.includes(event)) {
    throw new CliError('NOT_FOUND', `The contract API ${api} has no event "${event}"${nearestHint(event, paths)}`);
  }
  const body = { topic, ...(name === undefined ? {} : { name }), options: { firstEvent: textOf(first) } };
  const { text, value } = await party.client.createApiListener({ path: { apiname: api, eventpath: event }, body });
  const { output } = context;
  if (output.isJson) await output.json(text);
  else if (output.isQuiet) await output.line(value.id);
  else {
    const mark = output.out.isTerminal ? `${output.out.paint('green', '✓')} ` : '';
    const id = output.out.isTerminal ? shortId(value.id) : value.id;
    await output.line(`${mark}listening for ${safe(`${api}.${event}`)} on topic ${safe(value.topic)} · ${id}`);
  }
}
