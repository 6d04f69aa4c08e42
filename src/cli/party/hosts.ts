import type { FlagsOf } from '../flag-types.js';
import type { admitFlags, joinFlags } from './flags.js';
import { admit } from '../../stack/members/admit.js';
import { invite } from '../../stack/members/invite.js';
import { joinNetwork } from '../../stack/members/join-network.js';
import { placeFrom } from '../../stack/layout.js';
import { loadStack } from '../../stack/places/locate.js';
import type { CommandResult } from '../base.js';
import { durationMs } from '../duration.js';
import { withProgress } from '../terminal/progress.js';
import { findStack, type CommandContext } from '../requests/target.js';
import { safe } from '../terminal/text.js';

interface StackFlag {
  readonly stack?: string | undefined;
}

/** `stack party invite`. @throws StackError as `invite` */
export async function inviteOne(
  name: string,
  flags: StackFlag & { readonly output?: string | undefined },
  context: CommandContext,
): Promise<CommandResult> {
  const located = await findStack(flags, context);
  const stack = await loadStack(located.place, located.name);
  const file = flags.output ?? `${name}.invite.json`;
  const written = await invite(stack, name, file);
  return {
    json: { file, invite: written },
    text: `${context.output.out.paint('green', '✓')} ${safe(file)} invites ${name} to ${stack.name}`,
    primary: file,
  };
}

export type JoinFlags = FlagsOf<typeof joinFlags>;

/** `stack party join`. @throws StackError as `joinNetwork` */
export async function joinOne(
  file: string,
  { name, org: organization, advertise, bind, output }: JoinFlags,
  context: CommandContext,
): Promise<CommandResult> {
  const place = placeFrom(context.environment);
  const target = output ?? file.replace(/^.*\//, '').replace(/(?:\.invite)?\.json$/, '') + '.join.json';
  const request = { invite: file, name, organization, advertise, bind, output: target };
  const joined = await joinNetwork(place, { ...request, workingDirectory: process.cwd() });
  const mark = context.output.out.paint('green', '✓');
  const next = `Give ${safe(target)} to a member, who runs: ${context.program} party admit ${safe(target)}`;
  return {
    json: { stack: joined.stack, party: joined.party, file: target, request: joined.request },
    text: `${mark} ${joined.stack} created: ${joined.party}, at ${joined.request.endpoint}\n  ${next}`,
    primary: target,
  };
}

export type AdmitFlags = FlagsOf<typeof admitFlags>;

/** `stack party admit`. @throws StackError as `admit` */
export async function admitOne(file: string, flags: AdmitFlags, context: CommandContext): Promise<CommandResult> {
  const timeoutMs = durationMs(flags.timeout, '--timeout');
  const located = await findStack(flags, context);
  const stack = await loadStack(located.place, located.name);
  const { guest, outcome } = await withProgress(context.output, flags.progress, (onProgress) =>
    admit(stack, file, { timeoutMs, onProgress }),
  );
  const texts = {
    admitted: `${guest.organization} is now a member of ${stack.name}; its node can start`,
    member: `${guest.organization} is already a member of ${stack.name}`,
    planned: `${guest.organization} becomes a member at the next start of ${stack.name}: ${context.program} start`,
  };
  return {
    json: { ...guest, outcome },
    text: `${context.output.out.paint('green', '✓')} ${safe(texts[outcome])}`,
    primary: guest.organization,
  };
}
