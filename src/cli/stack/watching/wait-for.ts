import type { waitForFlags } from './flags.js';
import type { FlagsOf } from '../../flag-types.js';
import { setTimeout as sleep } from 'node:timers/promises';
import { finalHint, type ServiceRow, stackStatus, type StackStatus } from '../../../stack/status.js';
import { textOf } from '../../../wire/json/json.js';
import { isFinal } from '../../../client/wait.js';
import { isTransient, UnreachableError } from '../../../client/errors.js';
import { stackAccess } from '../../requests/credentials.js';
import { durationMs } from '../../duration.js';
import { eventFilters } from '../../events/filters.js';
import { requireSameEvents } from '../../events/connection-notes.js';
import { newestEvent, nextMatch } from '../../events/past-events.js';
import { CliError } from '../../errors/exit.js';
import { resolveMessageId } from '../../requests/ids.js';
import { result } from '../../terminal/output.js';
import { type PartyReading, type PartyState, readParties } from './party-state.js';
import { plural, spanOf } from '../../terminal/text.js';
import { openRunningStack, openTarget, type PartyNode, type CommandContext } from '../../requests/target.js';

export type WaitFlags = FlagsOf<typeof waitForFlags> & {
  readonly name?: string | undefined;
};

/** Checks a condition. Resolves with the reason why it is not met; undefined if it is. */
type Check = () => Promise<string | undefined>;

const pollMs = 100;

/** `stack wait`. @throws CliError TIMEOUT, USAGE, REJECTED, UNHEALTHY; StackError */
export async function waitFor(flags: WaitFlags, context: CommandContext): Promise<void> {
  const timeoutMs = durationMs(flags.timeout, '--timeout');
  const begunMs = performance.now();
  const checks = await Promise.all(
    flags.for.map(async (condition) => ({ condition, check: await checkOf(condition, flags, context) })),
  );
  for (;;) {
    const reasons = await Promise.all(checks.map(({ check }) => check()));
    if (reasons.every((reason) => reason === undefined)) break;
    if (timeoutMs > 0 && performance.now() - begunMs > timeoutMs) {
      const open = checks.flatMap(({ condition }, i) => {
        const reason = reasons[i];
        return reason === undefined ? [] : [`${condition} (${reason})`];
      });
      throw new CliError('TIMEOUT', `Not reached within ${spanOf(timeoutMs)}: ${open.join(', ')}.`);
    }
    await sleep(pollMs);
  }
  const { output } = context;
  const spentMs = Math.round(performance.now() - begunMs);
  if (output.isJson) await output.json(textOf(result({ met: flags.for, durationMs: spentMs })));
}

async function checkOf(condition: string, flags: WaitFlags, context: CommandContext): Promise<Check> {
  const [, id, where] = /^message=([0-9a-fA-F-]+)(?:@(.+))?$/.exec(condition) ?? [];
  if (id !== undefined) return messageCheck(id, where, flags, context);
  const [, expression] = /^event=(.+)$/s.exec(condition) ?? [];
  if (expression !== undefined) return eventCheck(expression, flags, context);
  if (flags.url !== undefined) {
    throw new CliError('USAGE', `${condition} needs a stack; with --url only message=ID and event=RE are possible.`);
  }
  const stack = await openRunningStack(flags, context);
  const status = () => stackStatus(stack);
  if (condition === 'healthy') return async () => unless('running', requireNoFinalFailure(await status()));
  if (condition === 'running') {
    return async () => {
      const { state } = await status();
      return state === 'stopped' || state === 'stopping' ? `the stack is ${state}` : undefined;
    };
  }
  if (condition === 'stopped') return async () => unless('stopped', await status());
  const reading = { accesses: await stackAccess(stack), namespaces: stack.settings.namespaces };
  if (condition === 'idle') return idleCheck(async () => requireNoFinalFailure(await status()), reading);
  const [, number] = /^block=(\d{1,12})$/.exec(condition) ?? [];
  if (number !== undefined) {
    return blockCheck(Number(number), async () => requireNoFinalFailure(await status()), reading);
  }
  const known = 'healthy, running, stopped, idle, block=N, event=RE or message=ID[@PARTY|@all]';
  throw new CliError('USAGE', `--for must be ${known}, not "${condition}".`);
}

/**
 * Returns a status unchanged.
 *
 * @throws CliError UNHEALTHY for a service that will not be restarted, since waiting would be useless
 */
function requireNoFinalFailure(status: StackStatus): StackStatus {
  const ended = status.services.find(({ isFinal }) => isFinal);
  if (ended === undefined) return status;
  const { name, message } = ended;
  throw new CliError('UNHEALTHY', `${name} ended and will not be restarted: ${message ?? 'no reason was given'}`, {
    hint: finalHint(message),
    details: { service: name, message },
  });
}

/** Describes a stack that is not in the wanted state, with the services that are not healthy. */
function unless(wanted: StackStatus['state'], { state, services }: Pick<StackStatus, 'state' | 'services'>) {
  if (state === wanted) return undefined;
  const others = wanted === 'running' ? services.filter((service) => service.state !== 'healthy') : [];
  const named = others.map(({ name, state: its }) => `${name} ${its}`).join(', ');
  return named === '' ? `the stack is ${state}` : `the stack is ${state}: ${named}`;
}

/** Checks that all parties are idle, in two readings with the same heads and event sequences. */
export function idleCheck(status: () => Promise<StackStatus>, reading: PartyReading): Check {
  let before = '';
  return async () => {
    const nodes = (await status()).services.filter(({ kind }) => kind === 'node');
    const states = await readParties(nodes, reading);
    const parties = [...states.values()];
    const busy = busyParties(nodes, states);
    const isQuiet = busy === undefined;
    const now = parties.map(({ chainHead, lastSequence }) => `${chainHead}/${lastSequence}`).join(' ');
    const isSame = now === before;
    before = isQuiet ? now : '';
    return busy ?? (isSame ? undefined : 'the state has just changed');
  };
}

/** The parties that are not idle, with reasons; undefined if all are. */
export function busyParties(
  nodes: readonly Pick<ServiceRow, 'name' | 'state'>[],
  states: ReadonlyMap<string, Pick<PartyState, 'pending' | 'operations' | 'outbox' | 'chainLag' | 'waiting'>>,
): string | undefined {
  const busy = nodes.flatMap(({ name, state: nodeState }) => {
    const state = states.get(name);
    if (state === undefined) return [`${name} ${nodeState === 'healthy' ? 'does not answer' : `is ${nodeState}`}`];
    const { pending, operations, outbox, chainLag, waiting } = state;
    const reasons = [
      ...(pending > 0 ? [`${pending} pending`] : []),
      ...(operations > 0 ? [`${plural(operations, 'operation')} under way`] : []),
      ...(outbox > 0 ? [`${outbox} not delivered`] : []),
      ...(chainLag === null ? ['no chain'] : chainLag > 0 ? [`${plural(chainLag, 'block')} behind`] : []),
      ...(waiting.length > 0 ? [`waits for ${waiting.join(', ')}`] : []),
    ];
    return reasons.length === 0 ? [] : [`${name}: ${reasons.join(', ')}`];
  });
  return busy.length === 0 ? undefined : busy.join('; ');
}

/** Checks the head of the chain, as the nodes report it. */
function blockCheck(number: number, status: () => Promise<StackStatus>, reading: PartyReading) {
  return async () => {
    const nodes = (await status()).services.filter(({ kind }) => kind === 'node');
    const heads = [...(await readParties(nodes, reading)).values()].map(({ chainHead }) => chainHead ?? -1);
    const head = Math.max(-1, ...heads);
    if (head >= number) return undefined;
    return head < 0 ? 'no party has read the chain' : `the chain is at block ${head}`;
  };
}

/** Checks for a new event whose type, tag or topic matches. */
async function eventCheck(expression: string, flags: WaitFlags, context: CommandContext): Promise<Check> {
  const target = await openTarget({ ...flags, stack: flags.stack ?? flags.name }, context);
  return nextEventCheck(expression, target.party);
}

/** Checks for a new event of a party. The check rejects with CliError UNHEALTHY if the events have started over. */
export async function nextEventCheck(expression: string, party: PartyNode): Promise<Check> {
  const filters = (['type', 'tag', 'topic'] as const).map((field) => eventFilters({ [field]: expression }));
  const { client, name } = party;
  let last = await newestEvent(client);
  let isFound = false;
  let wasAway = false;
  return async () => {
    try {
      if (wasAway) await requireSameEvents(party, last?.sequence ?? 0, last);
      wasAway = false;
      if (!isFound) ({ isFound, last } = await nextMatch(client, { filters, last }));
    } catch (error) {
      await beforeRepeat(party, error);
      wasAway = true;
    }
    return isFound ? undefined : `no such event at ${name} since the start of the wait`;
  };
}

async function messageCheck(
  id: string,
  where: string | undefined,
  flags: WaitFlags,
  context: CommandContext,
): Promise<Check> {
  const party = where === undefined || where === 'all' ? flags.party : where;
  const target = await openTarget({ ...flags, stack: flags.stack ?? flags.name, party }, context);
  const msgid = await resolveMessageId(target.party.client, id);
  const nodes = where === 'all' ? target.parties : [target.party];
  return async () => {
    const confirmed = await Promise.all(nodes.map((node) => isConfirmed(node, msgid)));
    const missing = nodes.filter((_, i) => confirmed[i] !== true).map(({ name }) => name);
    return missing.length === 0 ? undefined : `not confirmed at ${missing.join(', ')}`;
  };
}

async function isConfirmed(node: PartyNode, msgid: string): Promise<boolean> {
  const { client, name } = node;
  try {
    const { value } = await client.getMessage({ path: { msgid } });
    if (!isFinal(value)) return false;
    if (value.state === 'confirmed') return true;
    throw new CliError(
      'REJECTED',
      `The message ended ${value.state} at ${name}: ${value.rejectReason ?? 'no reason was given'}`,
    );
  } catch (error) {
    await beforeRepeat(node, error);
    return false;
  }
}

/** Prepares the repetition of a request, since a restarted node may have another address. @throws a final error */
async function beforeRepeat({ address }: PartyNode, failure: unknown): Promise<void> {
  if (!isTransient(failure)) throw failure;
  await address?.find().catch((error: unknown) => {
    if (!(error instanceof UnreachableError)) throw error;
  });
}
