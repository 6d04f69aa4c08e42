import { signingKey } from '../../requests/owners.js';
import type { poolFlags } from '../flags.js';
import type { FlagsOf } from '../../flag-types.js';
import { ClientError } from '../../../client/errors.js';
import type { Entry } from '../../../client/page.js';
import { observe } from '../../../client/until.js';
import { textOf } from '../../../wire/json/json.js';
import { compact } from '../../../wire/json/json-reader.js';
import type { JsonText } from '../../../wire/scalar.js';
import type { PoolRequest, TokenPool } from '../../../wire/token.js';
import { durationMs, limitSignal } from '../../duration.js';
import { CliError } from '../../errors/exit.js';
import { withDelay } from '../../explain/overdue.js';
import { withMember } from '../../requests/json-text.js';
import { payloadValue } from '../../requests/payload.js';
import { noteWhileWaiting } from '../../terminal/slow-note.js';
import { openTarget, type PartyNode, type CommandContext, type Target } from '../../requests/target.js';
import { requireOpen } from '../await.js';
import { withChoices } from '../hints.js';
import { plural, safe, shortId } from '../../terminal/text.js';

export type PoolFlags = FlagsOf<typeof poolFlags> & {
  readonly name: string;
};

/**
 * `stack pool create`: creates a pool and waits until it is active at the requested parties (docs/operations.md §11.6).
 *
 * @throws CliError USAGE, TIMEOUT, REJECTED if the contract reverted or the definition was rejected; ClientError
 */
export async function createPool(flags: PoolFlags, context: CommandContext): Promise<void> {
  const { output, program } = context;
  const timeoutMs = checkPool(flags);
  const target = await openTarget(flags, context);
  const body = poolRequest({ ...flags, key: await signingKey(flags.key, target) });
  const scope = flags['no-wait'] ? 'none' : (flags.wait ?? 'local');
  const awaited = scope === 'none' ? [] : scope === 'local' || !flags.publish ? [target.party] : target.parties;
  const watched = awaited.map((party) => {
    return { party, observer: observe({ client: party.client, openSocket: target.openSocket, types }) };
  });
  const begunMs = performance.now();
  const signal = limitSignal(timeoutMs);
  const missing = new Set(awaited.map(({ name }) => name));
  let accepted: Entry<TokenPool> | undefined;
  const endNotes = noteWhileWaiting(output, () => [...missing]);
  try {
    const query = flags.publish ? {} : { query: { publish: false } };
    accepted = await target.party.client.createTokenPool({ body, ...query, signal });
    const { id } = accepted.value;
    const outcomes = await Promise.all(
      watched.map(async ({ party, observer }): Promise<ActivePool> => {
        const entry = await observer.until((limit) => activeAt(party, accepted?.value, target, limit), signal);
        missing.delete(party.name);
        return { party, id, entry, activeMs: Math.round(performance.now() - begunMs) };
      }),
    );
    await printPool(accepted, outcomes, target, context);
  } catch (error) {
    if (!(signal.aborted && error === signal.reason)) throw await withChoices(error, flags, target, program);
    const id = accepted?.value.id ?? '';
    if (!output.isJson && id !== '') await output.line(id);
    const late = new CliError(
      'TIMEOUT',
      `The pool did not become active at ${[...missing].join(', ')} within ${flags.timeout}.`,
      {
        hint: `It may still become active. To see its state: ${program} pool get ${flags.name}`,
        details: { id, missing: [...missing] },
      },
    );
    throw await withDelay(late, target, context);
  } finally {
    endNotes();
    for (const { observer } of watched) observer.close();
  }
}

/** Runs all checks that need no node; returns the timeout in milliseconds. @throws CliError USAGE */
export function checkPool(flags: PoolFlags): number {
  // Finds a wrong flag before any request.
  poolRequest(flags);
  return durationMs(flags.timeout, '--timeout');
}

const types = '^(token_pool_(confirmed|op_failed)|message_(confirmed|rejected))$';

interface ActivePool {
  readonly party: PartyNode;
  readonly id: string;
  readonly entry: Entry<TokenPool>;
  readonly activeMs: number;
}

/** Builds the body of the request. @throws CliError USAGE for a `--config` that is not `k=v` */
export function poolRequest(flags: PoolFlags): PoolRequest {
  const { name, type, connector, key, symbol, idempotent, config = [] } = flags;
  return {
    name,
    type,
    ...(connector === undefined ? {} : { connector }),
    ...(config.length === 0 ? {} : { config: configOf(config) }),
    ...(key === undefined ? {} : { key }),
    ...(symbol === undefined ? {} : { symbol }),
    ...(idempotent === undefined ? {} : { idempotencyKey: idempotent }),
  };
}

/** Parses `k=v`: JSON if it is valid JSON, otherwise text, so that an address or a block number needs no quotes. */
function configOf(words: readonly string[]): JsonText {
  const members = words.map((word) => {
    const [, key, value] = /^([^=]+)=(.*)$/s.exec(word) ?? [];
    if (key !== undefined && value !== undefined) return `${textOf(key)}:${payloadValue(value)}`;
    throw new CliError('USAGE', `--config must be like key=value, not "${word}".`, {
      hint: 'For an existing contract: --config address=0x…',
    });
  });
  return compact(`{${members.join(',')}}`);
}

/** The pool once it is active at a party. @throws CliError REJECTED if it never will be */
async function activeAt(
  party: PartyNode,
  accepted: TokenPool | undefined,
  target: Target,
  signal: AbortSignal,
): Promise<Entry<TokenPool> | undefined> {
  if (accepted === undefined) return undefined;
  try {
    const entry = await party.client.getTokenPool({ path: { nameOrId: accepted.id }, signal });
    if (entry.value.active) return entry;
  } catch (error) {
    if (!(error instanceof ClientError) || error.status !== 404) throw error;
    if (party !== target.party) return undefined;
    const reason = await reasonAt(party, accepted.id, signal);
    throw new CliError('REJECTED', `The pool ${accepted.name} was rejected: ${safe(reason)}`, {
      details: { id: accepted.id, reason },
    });
  }
  if (party === target.party && accepted.tx?.id !== undefined) await requireOpen(party, accepted.tx.id, signal);
  return undefined;
}

/** The reason for which a pool's definition was rejected. */
async function reasonAt({ client }: PartyNode, id: string, signal: AbortSignal): Promise<string> {
  const query = { type: 'message_rejected', correlator: id, fetchreferences: true };
  const { value } = await client.listEvents({ query, signal });
  return value[0]?.message?.rejectReason ?? 'another pool of this name was first.';
}

async function printPool(
  accepted: Entry<TokenPool>,
  outcomes: readonly ActivePool[],
  target: Target,
  { output, program }: CommandContext,
): Promise<void> {
  const own = outcomes.find(({ party }) => party === target.party)?.entry ?? accepted;
  const { id, name, type } = own.value;
  if (output.isJson) {
    const parties = Object.fromEntries(outcomes.map(({ party, activeMs }) => [party.name, { activeMs }]));
    await output.json(withMember(own.text, 'stack', textOf({ schemaVersion: 1, parties })));
  } else if (output.isQuiet) await output.line(id);
  else {
    const mark = output.out.isTerminal && outcomes.length > 0 ? `${output.out.paint('green', '✓')} ` : '';
    const shown = output.out.isTerminal ? shortId(id) : id;
    const where =
      outcomes.length > 1 ? ` at ${outcomes.length}/${plural(target.parties.length, 'party', 'parties')}` : '';
    const state = outcomes.length === 0 ? 'is accepted' : `active${where}`;
    await output.line(`${mark}pool ${safe(name)} (${type}) ${state} · ${shown}`);
    if (outcomes.length === 0) await output.note(`To see its state: ${program} pool get ${safe(name)}`);
  }
}
