import { systemNamespace } from '../../domain/network/identity.js';
import type { Reader, Unit } from '../../ports/database.js';
import type { JudgementRow } from '../../ports/tables/waiting-tables.js';
import { findWaiting, markDue } from '../state/messages/contexts.js';

/** A judgement is held after this many attempts without a result. */
export const maxAttempts = 3;

const namespace = systemNamespace;

/** Counts an attempt before it begins; returns the number so far. */
export async function beginAttempt(
  unit: Unit,
  need: Pick<JudgementRow, 'key' | 'subject' | 'sizeBytes'>,
  since: string,
): Promise<number> {
  const { key, subject, sizeBytes } = need;
  const row = await unit.first('judgements', { key });
  const attempts = (row?.attempts ?? 0) + 1;
  if (row !== undefined) await unit.update('judgements', { key }, { attempts });
  else await unit.insert('judgements', [{ namespace, key, subject, sizeBytes, attempts, since }]);
  return attempts;
}

/** Removes an attempt that was interrupted by an orderly stop. */
export async function takeBack(unit: Unit, key: string): Promise<void> {
  const row = await unit.first('judgements', { key });
  if (row !== undefined) await unit.update('judgements', { key }, { attempts: row.attempts - 1 });
}

/** Removes a finished judgement and marks the contexts that wait for it as due. */
export async function endAttempts(unit: Unit, key: string): Promise<void> {
  await unit.remove('judgements', { key });
  await markWaiting(unit, [key]);
}

/** Marks the contexts that wait for one of these judgements as due. */
export async function markWaiting(unit: Unit, keys: readonly string[]): Promise<void> {
  await markDue(unit, await findWaiting(unit, keys.map(waitOn)));
}

export function readAttempts(reader: Reader): Promise<readonly JudgementRow[]> {
  return reader.rows('judgements', {}, { limit: maxJudgements });
}

export async function releaseAttempts(unit: Unit, keys: readonly string[]): Promise<void> {
  await unit.update('judgements', { key: keys }, { attempts: 0 });
}

/** The `on` of a wait for a judgement. */
export function waitOn(key: string): string {
  return `${judgementPrefix}${key}`;
}

export const judgementPrefix = 'judgement:';

/** Explains to users why a judgement is missing. */
export function detailOf({ subject, sizeBytes, attempts }: JudgementRow): string {
  const what = `The judgement of ${subject} (${sizeBytes} bytes)`;
  return attempts < maxAttempts
    ? `${what} is under way; attempts: ${attempts} of ${maxAttempts}.`
    : `${what} has crashed this node, or has not ended, ${attempts} times. It is held: the node decides nothing ` +
        'about it, and everything that depends on it waits. To try again, stop and start the node or a newer version.';
}

/** More judgements than are under way or held at the same time. */
const maxJudgements = 100_000;
