import { Type } from '@sinclair/typebox';
import { Value } from '@sinclair/typebox/value';
import { readJsonFile, readShape, writeJsonFile } from '../../supervisor/files/json-file.js';
import type { Control } from '../control/control.js';
import { StackError } from '../error.js';
import { keepEvidence } from '../running/evidence.js';
import { Guest } from './guest.js';
import type { Layout } from '../layout.js';
import type { Stack } from '../places/locate.js';
import { withLock } from '../places/lock.js';
import { taskNames } from '../running/plan.js';
import { readPlan } from '../running/running-plan.js';
import { onlyChanges, type ProgressListener, waitUntilReady } from '../running/readiness.js';
import { findSupervisor } from '../cleaning/stale.js';
import { startFailure } from '../running/start-failure.js';

const GuestsFile = Type.Object({ version: Type.Literal(1), guests: Type.Array(Guest) });

/** The members on other machines that this stack has admitted. */
export async function readGuests({ guests }: Pick<Layout, 'guests'>): Promise<readonly Guest[]> {
  return (await readJsonFile(guests, GuestsFile))?.guests ?? [];
}

export interface AdmitResult {
  readonly guest: Guest;
  /** `planned`: the stack does not run, and its next start registers the member. */
  readonly outcome: 'admitted' | 'member' | 'planned';
}

export interface AdmitOptions {
  readonly timeoutMs: number;
  readonly onProgress: ProgressListener;
}

/**
 * Makes the party of a request a member of the network, and funds its key on the stack's own chain. An interrupted call
 * continues when it is repeated.
 *
 * @throws StackError STACK_FILE_INVALID if the file is no request; NAME_EXISTS; LOCKED; START_FAILED, START_TIMEOUT
 */
export async function admit(stack: Stack, file: string, options: AdmitOptions): Promise<AdmitResult> {
  const guest = await readRequest(file);
  const { layout, settings } = stack;
  const own = settings.parties.find((each) => each.organization === guest.organization || each.node === guest.node);
  if (own !== undefined) throw taken(guest, `the party ${own.name} of this stack`);
  return withLock(layout.lock, 'party admit', async () => {
    const known = await readGuests(layout);
    const same = known.find((each) => each.organization === guest.organization || each.node === guest.node);
    if (same !== undefined && same.address !== guest.address)
      throw taken(guest, `a member with the key ${same.address}`);
    const guests = same === undefined ? [...known, guest] : known;
    await writeJsonFile(layout.guests, { version: 1, guests });
    const control = await findSupervisor(stack);
    if (control === undefined) return { guest, outcome: 'planned' };
    const added = await register(stack, control, guests, options);
    return { guest, outcome: added.includes(guest.organization) ? 'admitted' : 'member' };
  });
}

function taken({ organization, node }: Guest, by: string): StackError {
  return new StackError('NAME_EXISTS', `The organisation ${organization} or the node ${node} is taken by ${by}.`, {
    hint: 'Have the other machine join under another name.',
  });
}

async function readRequest(file: string): Promise<Guest> {
  try {
    const read = await readJsonFile(file, Guest);
    if (read !== undefined) return read;
    throw new Error(`there is no file ${file}.`);
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new StackError('STACK_FILE_INVALID', `This is not a request to join: ${reason}`, {
      hint: 'Write one on the other machine: stack party join',
      cause,
    });
  }
}

const Added = Type.Array(Type.String());
/** The part of the task's configuration that grows. */
const Funding = Type.Object({ fund: Type.Optional(Type.Array(Type.String())) });

/** Lets the running supervisor register guests. Resolves with the organisations that were not members before. */
async function register(
  { name, layout, settings }: Stack,
  control: Control,
  guests: readonly Guest[],
  { timeoutMs, onProgress }: AdmitOptions,
): Promise<readonly string[]> {
  const begunAt = new Date().toISOString();
  const plan = await readPlan(layout);
  if (plan === undefined) throw new Error('A running stack has a plan.');
  const services = plan.services.map((spec) => {
    const { value } = spec.config;
    if (spec.name !== taskNames.contracts || !Value.Check(Funding, value)) return spec;
    const funded = settings.chain.external === null ? guests.map(({ address }) => address) : [];
    const fund = [...new Set([...(value.fund ?? []), ...funded])];
    return { ...spec, config: { ...spec.config, value: { ...value, guests, fund } } };
  });
  await writeJsonFile(layout.plan, { ...plan, services });
  await control.adopt([taskNames.contracts]);
  const scope = { tasks: [taskNames.contracts], only: [taskNames.contracts] };
  const readiness = await waitUntilReady(control, scope, timeoutMs, onlyChanges(onProgress));
  if (readiness.outcome !== 'ready') {
    const crash = await keepEvidence(layout, [taskNames.contracts]);
    throw await startFailure({ name, layout }, readiness, { crash, begunAt });
  }
  const task = readiness.status.services.find((service) => service.name === taskNames.contracts);
  const added: unknown = task?.result?.['added'];
  return readShape(Added, JSON.stringify(added ?? []), 'The result of the task');
}
