import { admit } from '../../stack/members/admit.js';
import { invite } from '../../stack/members/invite.js';
import { joinNetwork } from '../../stack/members/join-network.js';
import { placeFrom } from '../../stack/layout.js';
import { loadStack } from '../../stack/places/locate.js';
import type { CommandResult } from '../base.js';
import { durationMs } from '../duration.js';
import { type ProgressKind, showProgress } from '../terminal/progress.js';
import { findStack, type Surroundings } from '../requests/target.js';
import { safe } from '../terminal/text.js';

interface StackFlag {
  readonly stack?: string | undefined;
}

/** `stack party invite`. @throws StackError as `invite` */
export async function inviteOne(
  name: string,
  flags: StackFlag & { readonly output?: string | undefined },
  surroundings: Surroundings,
): Promise<CommandResult> {
  const located = await findStack(flags, surroundings);
  const stack = await loadStack(located.place, located.name);
  const file = flags.output ?? `${name}.invite.json`;
  const written = await invite(stack, name, file);
  return {
    json: { file, invite: written },
    text: `${surroundings.output.out.paint('green', '✓')} ${safe(file)} invites ${name} to ${stack.name}`,
    primary: file,
  };
}

export interface JoinWords {
  readonly name?: string | undefined;
  readonly org?: string | undefined;
  readonly advertise: string;
  readonly bind?: string | undefined;
  readonly output?: string | undefined;
}

/** `stack party join`. @throws StackError as `joinNetwork` */
export async function joinOne(
  file: string,
  { name, org: organization, advertise, bind, output }: JoinWords,
  surroundings: Surroundings,
): Promise<CommandResult> {
  const place = placeFrom(surroundings.environment);
  const target = output ?? file.replace(/^.*\//, '').replace(/(?:\.invite)?\.json$/, '') + '.join.json';
  const request = { invite: file, name, organization, advertise, bind, output: target };
  const joined = await joinNetwork(place, { ...request, workingDirectory: process.cwd() });
  const mark = surroundings.output.out.paint('green', '✓');
  const then = `Give ${safe(target)} to a member, who runs: ${surroundings.program} party admit ${safe(target)}`;
  return {
    json: { stack: joined.stack, party: joined.party, file: target, request: joined.request },
    text: `${mark} ${joined.stack} created: ${joined.party}, at ${joined.request.endpoint}\n  ${then}`,
    primary: target,
  };
}

export interface AdmitWords extends StackFlag {
  readonly timeout: string;
  readonly progress: ProgressKind;
}

/** `stack party admit`. @throws StackError as `admit` */
export async function admitOne(file: string, flags: AdmitWords, surroundings: Surroundings): Promise<CommandResult> {
  const timeoutMs = durationMs(flags.timeout, '--timeout');
  const located = await findStack(flags, surroundings);
  const stack = await loadStack(located.place, located.name);
  const progress = showProgress(surroundings.output, flags.progress);
  const options = { timeoutMs, onProgress: progress.listener };
  const { guest, outcome } = await admit(stack, file, options).finally(() => progress.end());
  const texts = {
    admitted: `${guest.organization} is a member of ${stack.name} now; its node may start`,
    member: `${guest.organization} is a member of ${stack.name} already`,
    planned: `${guest.organization} becomes a member when ${stack.name} is started: ${surroundings.program} start`,
  };
  return {
    json: { ...guest, outcome },
    text: `${surroundings.output.out.paint('green', '✓')} ${safe(texts[outcome])}`,
    primary: guest.organization,
  };
}
