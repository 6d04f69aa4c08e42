import { systemNamespace } from '../../domain/identity.js';
import type { Reader, Unit } from '../../ports/database.js';
import type { JudgementRow } from '../../ports/waiting-tables.js';
import { among, equal, oldestFirst } from '../../wire/query.js';
import { markDue } from '../receive/batch.js';

/** After so many attempts that have not ended a judgement is held. */
export const maxAttempts = 3;

const namespace = systemNamespace;

/** Counts an attempt that is about to begin; resolves with how many that makes. */
export async function beginAttempt(
  unit: Unit,
  need: Pick<JudgementRow, 'key' | 'subject' | 'sizeBytes'>,
  since: string,
): Promise<number> {
  const { key, subject, sizeBytes } = need;
  const where = [equal('key', key)];
  const [row] = await unit.find('judgements', { namespace, where, sort: oldestFirst, limit: 1 });
  const attempts = (row?.attempts ?? 0) + 1;
  if (row !== undefined) await unit.update('judgements', { namespace, where }, { attempts });
  else await unit.insert('judgements', [{ namespace, key, subject, sizeBytes, attempts, since }]);
  return attempts;
}

/** An attempt that was ended in good order is none. */
export async function takeBack(unit: Unit, key: string): Promise<void> {
  const where = [equal('key', key)];
  const [row] = await unit.find('judgements', { namespace, where, sort: oldestFirst, limit: 1 });
  if (row !== undefined) await unit.update('judgements', { namespace, where }, { attempts: row.attempts - 1 });
}

/** A judgement has ended: what waits for it is due. */
export async function endAttempts(unit: Unit, key: string): Promise<void> {
  await unit.remove('judgements', { namespace, where: [equal('key', key)] });
  await markWaiting(unit, [key]);
}

/** Marks the contexts that wait for one of these judgements to be looked at again. */
export async function markWaiting(unit: Unit, keys: readonly string[]): Promise<void> {
  const where = [among('on', keys.map(waitOn))];
  const waits = await unit.find('waits', { namespace, where, sort: oldestFirst, limit: maxWaiting });
  await markDue(
    unit,
    waits.map(({ context }) => context),
  );
}

/** Judgements that are under way or held. */
export function readAttempts(reader: Reader): Promise<readonly JudgementRow[]> {
  return reader.find('judgements', { namespace, where: [], sort: oldestFirst, limit: maxWaiting });
}

/** Held judgements may be tried again. */
export async function releaseAttempts(unit: Unit, keys: readonly string[]): Promise<void> {
  await unit.update('judgements', { namespace, where: [among('key', keys)] }, { attempts: 0 });
}

/** The subject that a context waits for until a judgement is made. */
export function waitOn(key: string): string {
  return `${judgementPrefix}${key}`;
}

export const judgementPrefix = 'judgement:';

/** Why a judgement is not there yet, as a sentence. */
export function detailOf({ subject, sizeBytes, attempts }: JudgementRow): string {
  const what = `The judgement of ${subject} (${sizeBytes} bytes)`;
  return attempts < maxAttempts
    ? `${what} is under way; attempts: ${attempts} of ${maxAttempts}.`
    : `${what} has brought this node down, or has not ended, ${attempts} times. It is held: nothing is decided ` +
        'about it, and what comes after it waits. Stop and start the node, or a newer version, to have it tried again.';
}

/** As many contexts as may wait at once, and more. */
const maxWaiting = 100_000;
