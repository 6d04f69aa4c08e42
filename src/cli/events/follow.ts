import type { followFlags } from '../flags.js';
import type { tailFlags } from './flags.js';
import type { FlagsOf } from '../flag-types.js';
import { ClientError } from '../../client/errors.js';
import { events, type StreamItem } from '../../client/events/stream.js';
import type { DeliveredEvent } from '../../wire/events/event.js';
import { createConnectionNotes, createRetryingRead, isAway, type ReadFrom } from './connection-notes.js';
import { durationMs, limitSignal } from '../duration.js';
import { type EventFilters, eventFilters, requireEventType } from './filters.js';
import { type FindStart, startFinder } from './start.js';
import { CliError, exitCodes } from '../errors/exit.js';
import { type Merged, merge } from './merge.js';
import { watchReader } from '../terminal/reader.js';
import { requireSubscription } from '../subs/attach.js';
import { openTarget, type PartyNode, type CommandContext, type Target } from '../requests/target.js';
import { plural, spanOf } from '../terminal/text.js';

export type FollowFlags = FlagsOf<typeof followFlags> & Partial<Pick<FlagsOf<typeof tailFlags>, 'no-ack' | 'lines'>>;

export interface PartyEvent {
  readonly party: PartyNode;
  readonly event: DeliveredEvent;
  /** As served. */
  readonly text: string;
}

/**
 * Processes an event, which is acknowledged when this resolves. An exception ends the command and leaves the event
 * unacknowledged. The signal aborts on timeout.
 */
export type Work = (event: PartyEvent, signal: AbortSignal) => Promise<'more' | 'enough'>;

/**
 * Follows the events of one party or all, with its own or a durable subscription, and processes each in turn. Ends
 * after `--count`, when `work` returns `enough`, or when the reader of stdout is gone.
 *
 * @throws CliError USAGE, NOT_FOUND for an unknown subscription, TIMEOUT; UnreachableError if a node is away and must
 * not be retried; ClientError
 */
export async function followEvents(
  flags: FollowFlags,
  context: CommandContext,
  begin: (target: Target, readFrom: ReadFrom) => Work,
): Promise<void> {
  const { output } = context;
  requireEventType(flags.type, '--type');
  const filters = eventFilters(flags);
  checkDurable(flags, filters);
  const limitMs = durationMs(flags.timeout, '--timeout');
  const limit = limitSignal(limitMs);
  const target = await openTarget(flags, context);
  const nodes = flags['all-parties'] ? target.parties : [target.party];
  const clients = nodes.map(({ client }) => client);
  const findStart = startFinder(flags, { filters, clients, note: output.note });
  const done = new AbortController();
  const signal = AbortSignal.any([limit, done.signal]);
  const stopWatching = watchReader(() => process.exit(exitCodes.OK));
  const notes = createConnectionNotes({ output, filters: flags.durable === undefined ? filters : undefined });
  const readFrom: ReadFrom = flags['no-reconnect'] ? (_, read) => read() : createRetryingRead(notes, signal);
  const work = begin(target, readFrom);
  let received = 0;
  try {
    const attach = (node: PartyNode, isLate: boolean) =>
      requireSubscription(node, flags, { filters, findStart, program: context.program, isLate });
    const late = await nodesAway(nodes, flags, (node) => attach(node, false));
    const streams = nodes.map((node) => {
      const attached = late.has(node) ? () => readFrom(node, () => attach(node, true)) : undefined;
      return follow(node, target, { flags, filters, findStart, attached, signal });
    });
    const stop = () => {
      done.abort();
    };
    for await (const { party, item } of merge(streams, { timeOf, stop })) {
      // Events that arrived in time may still be queued.
      if (limit.aborted) break;
      if (item.kind !== 'event') {
        await notes.changed(party, item);
        continue;
      }
      const verdict = await work({ party, event: item.event, text: item.text }, signal);
      if (flags['no-ack'] !== true) item.acknowledge();
      await notes.passed(party, item.event);
      received++;
      if (verdict === 'enough' || received === flags.count) return;
    }
  } catch (error) {
    if (!limit.aborted || error !== limit.reason) throw subscriptionError(error, flags.durable);
  } finally {
    stopWatching();
  }
  if (limit.aborted)
    throw new CliError('TIMEOUT', `Timeout after ${spanOf(limitMs)}; ${plural(received, 'event')} received.`);
}

/**
 * Attaches to the subscriptions of all nodes. Returns the nodes that are away and must be waited for.
 *
 * @throws as `attach`
 */
async function nodesAway(
  nodes: readonly PartyNode[],
  flags: FollowFlags,
  attach: (node: PartyNode) => Promise<void>,
): Promise<ReadonlySet<PartyNode>> {
  const waits = flags['all-parties'] && !flags['no-reconnect'];
  const away = new Set<PartyNode>();
  const attached = nodes.map(async (node) => {
    try {
      await attach(node);
    } catch (error) {
      if (!waits || !isAway(error)) throw error;
      away.add(node);
    }
  });
  await Promise.all(attached);
  return away;
}

/** Checks that no filters and no start are given for an existing durable subscription. @throws CliError USAGE */
function checkDurable(flags: FollowFlags, filters: EventFilters): void {
  if (flags.durable === undefined || flags.create) return;
  const given = [...Object.keys(filters), ...(flags.since === undefined ? [] : ['since'])];
  if (given.length === 0) return;
  throw new CliError('USAGE', `The subscription ${flags.durable} has its own filters and position.`, {
    hint: 'Omit the filters and --since, or add --create to create a subscription with them.',
  });
}

interface PartyItem {
  readonly party: PartyNode;
  readonly item: StreamItem;
}

function timeOf({ item }: PartyItem): string | undefined {
  return item.kind === 'event' ? item.event.created : undefined;
}

/** The stream of one party. It is behind until its last past event has arrived, or its connection is lost. */
function follow(
  party: PartyNode,
  target: Target,
  options: {
    readonly flags: FollowFlags;
    readonly filters: EventFilters;
    readonly findStart: FindStart;
    /** Waits for a node that was away and attaches to its subscription. */
    readonly attached: (() => Promise<void>) | undefined;
    readonly signal: AbortSignal;
  },
): Merged<PartyItem> {
  const { flags, filters, findStart, attached, signal } = options;
  const hasPast = flags.durable === undefined && (flags.lines !== undefined || flags.since !== undefined);
  let last: number | undefined;
  let isBehind = hasPast;
  let isLate = false;
  const start = async () => {
    try {
      const past = await findStart(party.client, isLate);
      last = past.last;
      return past.start;
    } catch (error) {
      isLate = true;
      throw error;
    }
  };
  const stream = events({
    ...(flags.durable === undefined ? { filters, start } : { name: flags.durable }),
    url: party.url,
    namespace: target.namespace,
    openSocket: target.openSocket,
    beforeRetry: party.address?.find,
    retry: flags['no-reconnect'] ? 'never' : flags['all-parties'] ? 'always' : 'later',
    acknowledges: 'calling',
    signal,
  });
  const items = async function* (): AsyncGenerator<PartyItem, void> {
    await attached?.();
    for await (const item of stream) {
      if (item.kind === 'lost' || last === undefined) isBehind = false;
      else if (item.kind === 'event' && item.event.sequence >= last) isBehind = false;
      yield { party, item };
    }
  };
  return { items: items(), isBehind: () => isBehind };
}

/** The error code for a subscription that was deleted while connected. */
const noLongerActive = 'FF10173';

function subscriptionError(error: unknown, name: string | undefined): unknown {
  if (name === undefined || !(error instanceof ClientError)) return error;
  const isGone = error.code === noLongerActive || error.status === 404;
  return isGone ? new CliError('NOT_FOUND', `The subscription ${name} no longer exists.`) : error;
}
