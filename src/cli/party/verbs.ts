import { pauseParty, requireMember, requireParty, resumeParty, stopParty } from '../../stack/members/party-control.js';
import { restartService } from '../../stack/running/stop.js';
import type { CommandResult } from '../base.js';
import { durationMs } from '../duration.js';
import { secondsText, type ProgressKind } from '../terminal/progress.js';
import { startWithProgress } from '../stack/starting/lifecycle.js';
import { openStack, type Surroundings } from '../requests/target.js';

export interface PartyWords {
  readonly stack?: string | undefined;
  readonly name: string;
}

export interface PartyStartWords extends PartyWords {
  readonly timeout: string;
  readonly progress: ProgressKind;
}

/** `stack party pause`. @throws StackError as `pauseParty` */
export async function pauseOne(words: PartyWords, surroundings: Surroundings): Promise<CommandResult> {
  const stack = await openStack({ stack: words.stack }, surroundings);
  const { changed } = await pauseParty(stack, words.name);
  return said(words, surroundings, { changed, state: 'paused' });
}

/** `stack party resume`. @throws StackError as `resumeParty` */
export async function resumeOne(words: PartyWords, surroundings: Surroundings): Promise<CommandResult> {
  const stack = await openStack({ stack: words.stack }, surroundings);
  const { changed } = await resumeParty(stack, words.name);
  return said(words, surroundings, { changed, state: 'healthy', done: 'resumed', already: 'is running already' });
}

/** `stack party stop`. @throws StackError as `stopParty` */
export async function stopOne(words: PartyWords, surroundings: Surroundings): Promise<CommandResult> {
  const stack = await openStack({ stack: words.stack }, surroundings);
  const { changed, forced } = await stopParty(stack, words.name);
  const answer = said(words, surroundings, { changed, state: 'stopped' });
  const text = forced ? `${answer.text}; it did not end in time and was killed` : answer.text;
  return { ...answer, text, json: { ...asMembers(answer), forced } };
}

/** `stack party start`. @throws StackError as `requireParty`, `requireMember`, `startStack` */
export async function startOne(words: PartyStartWords, surroundings: Surroundings): Promise<CommandResult> {
  return startAgain(words, surroundings, () => Promise.resolve());
}

/** `stack party restart`. @throws StackError as `startOne`, `restartService` */
export async function restartOne(words: PartyStartWords, surroundings: Surroundings): Promise<CommandResult> {
  return startAgain(words, surroundings, (stack) => restartService(stack, words.name));
}

async function startAgain(
  words: PartyStartWords,
  surroundings: Surroundings,
  before: (stack: Awaited<ReturnType<typeof openStack>>) => Promise<void>,
): Promise<CommandResult> {
  const timeoutMs = durationMs(words.timeout, '--timeout');
  const stack = await openStack({ stack: words.stack }, surroundings);
  await requireParty(stack, words.name);
  await requireMember(stack, words.name);
  await before(stack);
  const begun = performance.now();
  const options = { timeoutMs, only: [words.name], smoke: false };
  const started = await startWithProgress(stack, options, words.progress, surroundings);
  const row = started.services.find(({ name }) => name === words.name);
  const took = secondsText(Math.round(performance.now() - begun));
  const answer = said(words, surroundings, {
    changed: !started.alreadyRunning,
    state: row?.state ?? 'healthy',
    done: `is running again after ${took}   ${row?.url ?? ''}`.trimEnd(),
    already: 'is running already',
  });
  return { ...answer, json: { ...asMembers(answer), url: row?.url ?? null } };
}

interface Said {
  readonly changed: boolean;
  readonly state: string;
  /** Default: `is` and the state. */
  readonly done?: string;
  readonly already?: string;
}

function said({ name }: PartyWords, { output }: Pick<Surroundings, 'output'>, change: Said): CommandResult {
  const { changed, state, done = `is ${state}`, already = `is ${state} already` } = change;
  const text = changed ? `${output.out.paint('green', '✓')} ${name} ${done}` : `${name} ${already}`;
  return { text, json: { party: name, state, changed } };
}

function asMembers({ json }: CommandResult): Readonly<Record<string, unknown>> {
  return typeof json === 'string' ? {} : json;
}
