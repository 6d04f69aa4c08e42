import { readFile, rm } from 'node:fs/promises';
import { readJsonFile, writeJsonFile } from '../supervisor/files/json-file.js';
import { type Fault, FaultFile, isInForce } from '../wire/network/faults.js';
import { allowsFaults } from './ports/bind.js';
import { publicKeyHashOf } from './keys/certificate.js';
import { requireControl } from './control/control.js';
import { StackError } from './error.js';
import { certificateFiles } from './keys/keys.js';
import type { Layout } from './layout.js';
import type { LocatedStack, Stack } from './places/locate.js';
import { withLock } from './places/lock.js';
import { requirePartyName } from './members/party-control.js';
import { readRunningPlan } from './running/running-plan.js';

export interface FaultRequest {
  readonly kind: Fault['kind'];
  readonly from: string;
  /** For a link; not for `drop`. */
  readonly to?: string | undefined;
  readonly oneWay?: boolean;
  readonly delayMs?: number | undefined;
  /** Its duration; absent: until it is cleared. */
  readonly forMs?: number | undefined;
}

/**
 * Sets a fault, replacing one of the same kind between the same parties. The nodes apply it when this resolves, and to
 * transfers in progress within a tenth of a second. Faults last until `clearFaults` or the end of the stack.
 *
 * @throws StackError SERVICE_NOT_FOUND, NAME_INVALID for a party with itself, NOT_RUNNING, BIND_REFUSED, LOCKED
 */
export async function setFault(stack: Stack, request: FaultRequest): Promise<Fault> {
  const { layout, settings } = stack;
  const { kind, from, to, oneWay = false, delayMs, forMs } = request;
  for (const party of [from, ...(to === undefined ? [] : [to])]) requirePartyName(stack, party);
  if (from === to) throw new StackError('NAME_INVALID', `${from} has no link to itself.`);
  await requireControl(stack);
  const bind = (await readRunningPlan(layout)).host ?? settings.bind;
  if (!allowsFaults({ bind })) {
    throw new StackError('BIND_REFUSED', `Faults require nodes that listen on loopback; these listen on ${bind}.`);
  }
  return changeFaults(layout, async (faults) => {
    const now = Date.now();
    const others = faults.filter((fault) => !isSame(fault, request));
    const highest = Math.max(0, ...faults.map(({ id }) => Number(id.slice(1))));
    const fault: Fault = {
      id: faults.find((each) => isSame(each, request))?.id ?? `f${highest + 1}`,
      kind,
      oneWay,
      from: await endOf(layout, from),
      ...(to !== undefined && { to: await endOf(layout, to) }),
      ...(delayMs !== undefined && { delayMs }),
      since: new Date(now).toISOString(),
      ...(forMs !== undefined && { until: new Date(now + forMs).toISOString() }),
    };
    return { faults: [...others, fault], answer: fault };
  });
}

/** The faults in force, oldest first. */
export async function readFaults({ faults }: Pick<Layout, 'faults'>): Promise<readonly Fault[]> {
  const file = await readJsonFile(faults, FaultFile);
  const now = new Date().toISOString();
  return (file?.faults ?? []).filter((fault) => isInForce(fault, now));
}

/**
 * Clears a fault, or all of them. Resolves with the cleared ones.
 *
 * @throws StackError SERVICE_NOT_FOUND for an unknown id
 */
export async function clearFaults(stack: LocatedStack, id?: string): Promise<readonly Fault[]> {
  return changeFaults(stack.layout, async (faults) => {
    const cleared = faults.filter((fault) => id === undefined || fault.id === id);
    if (id !== undefined && cleared.length === 0) {
      throw new StackError('SERVICE_NOT_FOUND', `There is no fault ${id}.`, {
        hint: 'List the faults: stack fault list',
      });
    }
    return { faults: faults.filter((fault) => !cleared.includes(fault)), answer: cleared };
  });
}

/** Deletes all faults of a stack that has ended or is about to start. */
export async function forgetFaults({ faults }: Pick<Layout, 'faults'>): Promise<void> {
  await rm(faults, { force: true });
}

interface Changed<Answer> {
  readonly faults: readonly Fault[];
  readonly answer: Answer;
}

/** Faults have a separate lock, so that a fault that delays a start can still be cleared. */
async function changeFaults<Answer>(
  layout: Layout,
  change: (faults: readonly Fault[]) => Promise<Changed<Answer>>,
): Promise<Answer> {
  return withLock(`${layout.faults}.lock`, 'fault', async () => {
    const { faults, answer } = await change(await readFaults(layout));
    if (faults.length === 0) await forgetFaults(layout);
    else await writeJsonFile(layout.faults, { version: 1, faults });
    return answer;
  });
}

function isSame(fault: Fault, { kind, from, to, oneWay = false }: FaultRequest): boolean {
  if (fault.kind !== kind || fault.oneWay !== oneWay) return false;
  const ends = [fault.from.party, fault.to?.party ?? ''];
  const asked = [from, to ?? ''];
  return ends.join() === asked.join() || (!oneWay && ends.toReversed().join() === asked.join());
}

async function endOf(layout: Layout, party: string): Promise<Fault['from']> {
  const { certificateFile } = certificateFiles(layout, party);
  return { party, key: publicKeyHashOf(await readFile(certificateFile, 'utf8')) };
}
