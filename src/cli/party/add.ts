import type { partyAddFlags } from './flags.js';
import type { FlagsOf } from '../flag-types.js';
import { isAbsolute, join } from 'node:path';
import { addParty, type JoinResult } from '../../stack/members/join.js';
import { loadStack } from '../../stack/places/locate.js';
import { stackStatus } from '../../stack/status.js';
import type { CommandResult } from '../base.js';
import { stackAccess } from '../requests/credentials.js';
import { durationMs } from '../duration.js';
import { CliError } from '../errors/exit.js';
import { secondsText, withProgress } from '../terminal/progress.js';
import { databaseSettings } from '../stack/making/database-flag.js';
import { fundsNote } from '../stack/starting/funds-note.js';
import { type PartyState, readParty } from '../stack/watching/party-state.js';
import { findStack, type CommandContext } from '../requests/target.js';
import { plural } from '../terminal/text.js';

export type PartyAddFlags = FlagsOf<typeof partyAddFlags> & {
  readonly name: string;
};

/** `stack party add`. @throws CliError USAGE; StackError as `addParty` */
export async function addOne(flags: PartyAddFlags, context: CommandContext): Promise<CommandResult> {
  const { output } = context;
  if (flags.external) throw externalParty(flags.name, context.program);
  const timeoutMs = durationMs(flags.timeout, '--timeout');
  const keyFile = flags.key === undefined ? undefined : keyFileIn(flags.key);
  const located = await findStack(flags, context);
  const { name, org: organization, node, port } = flags;
  const database = flags.database === undefined ? undefined : databaseOfParty(flags.database);
  const request = { name, organization, node, port, keyFile, database, timeoutMs, onFunds: fundsNote(output) };
  const result = await withProgress(output, flags.progress, (onProgress) =>
    addParty(located, { ...request, onProgress }),
  );
  const stack = await loadStack(located.place, located.name);
  const { services, env } = await stackStatus(stack);
  const row = services.find((each) => each.name === name);
  const url = row?.url ?? null;
  const isUp = row?.pid != null && url !== null;
  const access = (await stackAccess(stack)).get(name);
  const state = isUp ? await readParty(url, { access, namespaces: stack.settings.namespaces }) : undefined;
  const address = env[`STACK_${name.toUpperCase().replaceAll('-', '_')}_ADDRESS`] ?? null;
  return {
    json: {
      party: name,
      organization: result.party.organization,
      node: result.party.node,
      outcome: result.outcome,
      address,
      url,
      state: row?.state ?? 'stopped',
      durationMs: result.durationMs,
      block: state?.chainHead ?? null,
      messages: state?.messages ?? null,
      chainLag: state?.chainLag ?? null,
    },
    text: textFor(result, { url, state, stack: stack.name }, context),
    primary: url ?? undefined,
  };
}

interface AddedParty {
  readonly url: string | null;
  readonly state: PartyState | undefined;
  readonly stack: string;
}

function textFor(
  { party: { name }, outcome, durationMs: spentMs }: JoinResult,
  { url, state, stack }: AddedParty,
  { output, program }: CommandContext,
): string {
  if (outcome === 'member') return `${name} is already a member of ${stack}${url === null ? '' : `   ${url}`}`;
  const mark = output.out.paint('green', '✓');
  if (outcome === 'planned') return `${mark} ${name} joins ${stack} at its next start: ${program} start ${stack}`;
  const facts = [
    ...(state?.chainHead == null ? [] : [`at block ${state.chainHead}`]),
    ...(state?.messages == null ? [] : [plural(state.messages, 'message')]),
    ...(state?.chainLag == null ? [] : [`lag ${state.chainLag}`]),
    secondsText(spentMs),
  ];
  return `${mark} ${name} joined ${facts.join(' · ')}${url === null ? '' : `   ${url}`}`;
}

/** The settings of a party's database, as in the definition. */
function databaseOfParty(word: string): Readonly<Record<string, string>> {
  const settings = databaseSettings(word, process.cwd(), '--database');
  return Object.fromEntries(settings.map(({ path, value }) => [path.at(-1) ?? '', value]));
}

/** The path in `file:PATH`, since a secret must not be on a command line. @throws CliError USAGE */
function keyFileIn(text: string): string {
  const path = /^file:(.+)$/.exec(text)?.[1];
  if (path === undefined) {
    throw new CliError('USAGE', '--key must name a file, like --key file:./dave.key.', {
      hint: 'Write the private key to a file of mode 0600: every user of this machine can read command lines.',
    });
  }
  return isAbsolute(path) ? path : join(process.cwd(), path);
}

function externalParty(name: string, program: string): CliError {
  return new CliError('USAGE', 'A party on another machine creates its own keys and must be invited.', {
    hint: `Invite it: ${program} party invite ${name}`,
  });
}
