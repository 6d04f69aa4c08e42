import { setTimeout as sleep } from 'node:timers/promises';
import { finalHint, stackStatus, type StackStatus } from '../../stack/status.js';
import { textOf } from '../../wire/json.js';
import { isFinal } from '../../client/wait.js';
import { ClientError, UnreachableError } from '../../client/errors.js';
import { type Credential, stackCredentials } from '../credentials.js';
import { durationMs } from '../duration.js';
import { CliError } from '../exit.js';
import { resolveMessageId } from '../ids.js';
import { result } from '../output.js';
import { type PartyState, readParties } from './party-state.js';
import { openStack, openTarget, type PartyNode, type Surroundings, type TargetFlags } from '../target.js';

export interface WaitWords extends TargetFlags {
  readonly name?: string | undefined;
  readonly conditions: readonly string[];
  readonly timeout: string;
}

/** Whether a condition holds now. */
type Check = () => Promise<boolean>;

const pollMs = 100;

/** `stack wait`. @throws CliError TIMEOUT, USAGE, REJECTED, UNHEALTHY; StackError */
export async function waitFor(words: WaitWords, surroundings: Surroundings): Promise<void> {
  const timeoutMs = durationMs(words.timeout, '--timeout');
  const begunMs = performance.now();
  const checks = await Promise.all(
    words.conditions.map(async (condition) => ({ condition, holds: await checkOf(condition, words, surroundings) })),
  );
  let open = checks;
  for (;;) {
    const answers = await Promise.all(checks.map(({ holds }) => holds()));
    open = checks.filter((_, i) => answers[i] === false);
    if (open.length === 0) break;
    if (timeoutMs > 0 && performance.now() - begunMs > timeoutMs) {
      throw new CliError(
        'TIMEOUT',
        `Not so within ${words.timeout}: ${open.map(({ condition }) => condition).join(', ')}.`,
      );
    }
    await sleep(pollMs);
  }
  const { output } = surroundings;
  const spentMs = Math.round(performance.now() - begunMs);
  if (output.isJson) await output.json(textOf(result({ met: words.conditions, durationMs: spentMs })));
}

async function checkOf(condition: string, words: WaitWords, surroundings: Surroundings): Promise<Check> {
  const [, id, where] = /^message=([0-9a-fA-F-]+)(?:@(.+))?$/.exec(condition) ?? [];
  if (id !== undefined) return messageCheck(id, where, words, surroundings);
  if (words.url !== undefined)
    throw new CliError('USAGE', `${condition} needs a stack; with --url only message=ID is possible.`);
  const stack = await openStack(words, surroundings);
  const status = () => stackStatus(stack);
  if (condition === 'healthy') return async () => withoutEnd(await status()).state === 'running';
  if (condition === 'running') return async () => !['stopped', 'stopping'].includes((await status()).state);
  if (condition === 'stopped') return async () => (await status()).state === 'stopped';
  if (condition === 'idle') return idleCheck(async () => withoutEnd(await status()), await stackCredentials(stack));
  throw new CliError(
    'USAGE',
    `--for must be healthy, running, stopped, idle or message=ID[@PARTY|@all], not "${condition}".`,
  );
}

/** Passes a status on. @throws CliError UNHEALTHY for a service that has ended for good: waiting would be in vain */
function withoutEnd(status: StackStatus): StackStatus {
  const ended = status.services.find(({ isFinal }) => isFinal);
  if (ended === undefined) return status;
  const { name, message } = ended;
  throw new CliError('UNHEALTHY', `${name} has ended for good: ${message ?? 'it gave no reason'}`, {
    hint: finalHint,
    details: { service: name, message },
  });
}

/** Nothing undecided anywhere and no block unread, seen twice with the same heads and event sequences. */
function idleCheck(status: () => Promise<StackStatus>, credentials: ReadonlyMap<string, Credential>): Check {
  let before = '';
  return async () => {
    const nodes = (await status()).services.filter(({ kind }) => kind === 'node');
    const parties = [...(await readParties(nodes, credentials)).values()];
    const isQuiet = parties.length === nodes.length && parties.every(isAtRest);
    const now = parties.map(({ chainHead, lastSequence }) => `${chainHead}/${lastSequence}`).join(' ');
    const isSame = now === before;
    before = isQuiet ? now : '';
    return isQuiet && isSame;
  };
}

function isAtRest({ pending, chainLag, waiting }: PartyState): boolean {
  return pending === 0 && chainLag === 0 && waiting.length === 0;
}

async function messageCheck(
  id: string,
  where: string | undefined,
  words: WaitWords,
  surroundings: Surroundings,
): Promise<Check> {
  const party = where === undefined || where === 'all' ? words.party : where;
  const target = await openTarget({ ...words, stack: words.stack ?? words.name, party }, surroundings);
  const msgid = await resolveMessageId(target.party.client, id);
  const nodes = where === 'all' ? target.parties : [target.party];
  return async () => (await Promise.all(nodes.map((node) => isConfirmed(node, msgid)))).every(Boolean);
}

async function isConfirmed({ client, name }: PartyNode, msgid: string): Promise<boolean> {
  try {
    const { value } = await client.getMessage({ path: { msgid } });
    if (!isFinal(value)) return false;
    if (value.state === 'confirmed') return true;
    throw new CliError(
      'REJECTED',
      `The message ended ${value.state} at ${name}: ${value.rejectReason ?? 'no reason given'}`,
    );
  } catch (error) {
    const isLater =
      error instanceof UnreachableError || (error instanceof ClientError && [404, 503].includes(error.status));
    if (isLater) return false;
    throw error;
  }
}
