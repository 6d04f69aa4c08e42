import type { tailFlags } from './flags.js';
import type { FlagsOf } from '../flag-types.js';
import type { DeliveredEvent } from '../../wire/events/event.js';
import { runShell } from '../child.js';
import { createEventTexts } from './line.js';
import { CliError } from '../errors/exit.js';
import { followEvents } from './follow.js';
import type { CommandContext } from '../requests/target.js';
import { shortAuthor, shortId } from '../terminal/text.js';

export type TailFlags = FlagsOf<typeof tailFlags>;

/**
 * `stack events tail`: prints a line for each event of one party or all, and with `--exec` runs a command with the
 * event on its stdin. An event is acknowledged when its line is written and its command has succeeded.
 *
 * @throws CliError USAGE; UNHEALTHY if a command fails with a durable subscription; as `followEvents`
 */
export async function runTail(flags: TailFlags, context: CommandContext): Promise<void> {
  const isLast = readUntil(flags.until);
  const { output } = context;
  await followEvents(flags, context, (target, readFrom) => {
    const textsOf = createEventTexts({ target, readFrom, hasData: flags['with-data'], output });
    return async (received) => {
      const { event } = received;
      const texts = await textsOf(received);
      if (output.isQuiet) await output.line(event.reference);
      else if (output.isJson || flags.format === 'json') await output.record(texts.json);
      else await output.line(await texts.line());
      if (flags.exec !== undefined) await execute(flags.exec, event, texts.json, flags, context);
      return isLast(event) ? 'enough' : 'more';
    };
  });
}

async function execute(
  command: string,
  event: DeliveredEvent,
  text: string,
  { durable }: TailFlags,
  { output }: CommandContext,
): Promise<void> {
  const failure = await runShell(command, `${text}\n`);
  if (failure === undefined) return;
  const sentence = `The command ended with ${failure} for event ${event.sequence} (${shortId(event.id)})`;
  if (durable === undefined) {
    await output.note(`# ${sentence}`);
    return;
  }
  throw new CliError('UNHEALTHY', `${sentence}.`, {
    hint: `The event is not acknowledged; the subscription ${durable} will deliver it again.`,
    details: { event: event.id, sequence: event.sequence },
  });
}

const untilFields = new Map<string, (event: DeliveredEvent) => readonly (string | undefined)[]>([
  ['type', ({ type }) => [type]],
  ['tag', ({ message }) => [message?.header.tag]],
  ['topic', ({ message }) => message?.header.topics ?? []],
  ['author', ({ message }) => [message?.header.author, shortAuthor(message?.header.author ?? '')]],
  ['group', ({ message }) => [message?.header.group]],
  ['id', ({ reference }) => [reference]],
]);

function readUntil(until: string | undefined): (event: DeliveredEvent) => boolean {
  if (until === undefined) return () => false;
  const [, field = '', value = ''] = /^(\w+)=(.*)$/s.exec(until) ?? [];
  const read = untilFields.get(field);
  if (read === undefined) {
    const known = [...untilFields.keys()].join(', ');
    throw new CliError('USAGE', `--until must be field=value with one of ${known}, not "${until}".`);
  }
  return (event) => read(event).includes(value);
}
