import { ClientError } from '../../client/errors.js';
import { events, type StreamItem } from '../../client/stream.js';
import type { DeliveredEvent } from '../../wire/events/event.js';
import { createConnectionNotes } from './connection-notes.js';
import { durationMs, limitSignal } from '../duration.js';
import { type EventFilters, eventFilters, type FilterWords, requireEventType } from './filters.js';
import { type FindStart, startFinder, type StartWords } from './start.js';
import { CliError, exitCodes } from '../errors/exit.js';
import { merge } from './merge.js';
import { watchReader } from '../terminal/reader.js';
import { requireSubscription } from '../subs/attach.js';
import { openTarget, type PartyNode, type Surroundings, type Target, type TargetFlags } from '../requests/target.js';
import { plural, spanOf } from '../terminal/text.js';

export interface FollowWords extends TargetFlags, FilterWords, StartWords {
  readonly 'all-parties': boolean;
  /** Name of the subscription to attach to. */
  readonly durable?: string | undefined;
  readonly create: boolean;
  readonly 'no-ack'?: boolean | undefined;
  readonly count?: number | undefined;
  readonly timeout: string;
  readonly 'no-reconnect': boolean;
}

export interface PartyEvent {
  readonly party: PartyNode;
  readonly event: DeliveredEvent;
  /** As served. */
  readonly text: string;
}

/**
 * Processes an event. Once it resolves the event is acknowledged; an exception ends everything and leaves the event
 * unacknowledged. The signal aborts on timeout.
 */
export type Work = (event: PartyEvent, signal: AbortSignal) => Promise<'more' | 'enough'>;

/**
 * Follows the events of one party or all, with its own or a durable subscription, and processes each in turn. Ends
 * after `--count`, when `work` returns `enough`, or when stdout has no reader any more.
 *
 * @throws CliError USAGE, NOT_FOUND for an unknown subscription, TIMEOUT; UnreachableError if a node is gone and not to
 * be retried; ClientError
 */
export async function followEvents(
  words: FollowWords,
  surroundings: Surroundings,
  begin: (target: Target) => Work,
): Promise<void> {
  const { output } = surroundings;
  requireEventType(words.type, '--type');
  const filters = eventFilters(words);
  const findStart = startFinder(words, filters, output.note);
  checkDurable(words, filters);
  const limitMs = durationMs(words.timeout, '--timeout');
  const limit = limitSignal(limitMs);
  const target = await openTarget(words, surroundings);
  const nodes = words['all-parties'] ? target.parties : [target.party];
  const done = new AbortController();
  const signal = AbortSignal.any([limit, done.signal]);
  const stopWatching = watchReader(() => process.exit(exitCodes.OK));
  const notes = createConnectionNotes({ output, filters: words.durable === undefined ? filters : undefined });
  const work = begin(target);
  let came = 0;
  try {
    const attaching = { filters, findStart, program: surroundings.program };
    await Promise.all(nodes.map((node) => requireSubscription(node, words, attaching)));
    const streams = nodes.map((node) => follow(node, target, { words, filters, findStart, signal }));
    const stop = () => {
      done.abort();
    };
    for await (const { party, item } of merge(streams, stop)) {
      if (item.kind !== 'event') {
        await notes.changed(party, item);
        continue;
      }
      const verdict = await work({ party, event: item.event, text: item.text }, signal);
      if (words['no-ack'] !== true) item.acknowledge();
      await notes.passed(party, item.event);
      came++;
      if (verdict === 'enough' || came === words.count) return;
    }
  } catch (error) {
    if (!limit.aborted || error !== limit.reason) throw ofDurable(error, words.durable);
  } finally {
    stopWatching();
  }
  if (limit.aborted)
    throw new CliError('TIMEOUT', `Time is up after ${spanOf(limitMs)}; ${plural(came, 'event')} came.`);
}

/** Checks that no filters or position are given for an existing durable subscription, which has its own. */
function checkDurable(words: FollowWords, filters: EventFilters): void {
  if (words.durable === undefined || words.create) return;
  const given = [...Object.keys(filters), ...(words.since === undefined ? [] : ['since'])];
  if (given.length === 0) return;
  throw new CliError('USAGE', `The subscription ${words.durable} has filters and a place of its own.`, {
    hint: 'Leave out the filters and --since, or add --create to make a subscription of them.',
  });
}

async function* follow(
  party: PartyNode,
  target: Target,
  options: {
    readonly words: FollowWords;
    readonly filters: EventFilters;
    readonly findStart: FindStart;
    readonly signal: AbortSignal;
  },
): AsyncGenerator<{ readonly party: PartyNode; readonly item: StreamItem }> {
  const { words, filters, findStart, signal } = options;
  const source =
    words.durable === undefined ? { filters, start: () => findStart(party.client) } : { name: words.durable };
  const stream = events({
    ...source,
    url: party.url,
    namespace: target.namespace,
    openSocket: target.openSocket,
    retry: words['no-reconnect'] ? 'never' : words['all-parties'] ? 'always' : 'later',
    acknowledges: 'calling',
    signal,
  });
  for await (const item of stream) yield { party, item };
}

/** The error code for a subscription that was deleted while connected. */
const noLongerActive = 'FF10173';

function ofDurable(error: unknown, name: string | undefined): unknown {
  if (name === undefined || !(error instanceof ClientError)) return error;
  const isGone = error.code === noLongerActive || error.status === 404;
  return isGone ? new CliError('NOT_FOUND', `The subscription ${name} is not there any more.`) : error;
}
