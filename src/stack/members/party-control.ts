import { nearestHint } from '../../wire/lists/query.js';
import { type Control, requireControl } from '../control/control.js';
import { StackError } from '../error.js';
import { externalCommand, readExternal } from '../engines/external.js';
import type { Stack } from '../places/locate.js';
import { withLock } from '../places/lock.js';

/** The result of changing a party's node. */
export interface PartyChange {
  /** False if it was in that state already. */
  readonly changed: boolean;
  /** Whether its process did not end in time and was killed. */
  readonly forced: boolean;
}

/** Refuses a name that no party has. @throws StackError SERVICE_NOT_FOUND */
export function requirePartyName({ name: stack, settings }: Stack, party: string): void {
  const names = settings.parties.map(({ name }) => name);
  if (names.includes(party)) return;
  throw new StackError('SERVICE_NOT_FOUND', `The stack ${stack} has no party "${party}"${nearestHint(party, names)}`, {
    hint: 'List the parties: stack party list',
    details: { name: party },
  });
}

/**
 * Checks that a party exists and that the supervisor runs its node.
 *
 * @throws StackError SERVICE_NOT_FOUND, EXTERNAL_REFUSED
 */
export async function requireParty(stack: Stack, party: string): Promise<void> {
  requirePartyName(stack, party);
  const { layout } = stack;
  if (!(await readExternal(layout)).includes(party)) return;
  const { program, config } = externalCommand(layout, party);
  throw new StackError('EXTERNAL_REFUSED', `You run the node of ${party} yourself, so the stack cannot pause it.`, {
    hint: `Its process is: node ${program} ${config}`,
  });
}

/** Connects to the supervisor of a stack, which must run a node of this name. @throws StackError NOT_RUNNING */
export async function requireMember(stack: Stack, party: string): Promise<Control> {
  const control = await requireControl(stack);
  if ((await stateOf(control, party)) !== undefined) return control;
  throw new StackError('NOT_RUNNING', `${party} is in stack.yaml, but has not joined the network yet.`, {
    hint: `Add it: stack party add ${party}`,
  });
}

async function stateOf(control: Control, party: string): Promise<string | undefined> {
  return (await control.status()).services.find(({ name }) => name === party)?.state;
}

/**
 * Pauses the process of a party; its health is not checked meanwhile.
 *
 * @throws StackError SERVICE_NOT_FOUND, EXTERNAL_REFUSED, LOCKED; NOT_RUNNING if it is not healthy
 */
export async function pauseParty(stack: Stack, party: string): Promise<PartyChange> {
  return change(stack, party, 'pause', 'paused');
}

/** Resumes a paused process. @throws StackError as `pauseParty` */
export async function resumeParty(stack: Stack, party: string): Promise<PartyChange> {
  return change(stack, party, 'resume', 'healthy');
}

async function change(
  stack: Stack,
  party: string,
  verb: 'pause' | 'resume',
  wanted: 'paused' | 'healthy',
): Promise<PartyChange> {
  await requireParty(stack, party);
  return withLock(stack.layout.lock, `party ${verb}`, async () => {
    const control = await requireMember(stack, party);
    if ((await stateOf(control, party)) === wanted) return { changed: false, forced: false };
    await control.service(party, verb);
    return { changed: true, forced: false };
  });
}

/**
 * Stops the node of a party; other services continue.
 *
 * @throws StackError SERVICE_NOT_FOUND, EXTERNAL_REFUSED, LOCKED, NOT_RUNNING if the stack is not running
 */
export async function stopParty(stack: Stack, party: string): Promise<PartyChange> {
  await requireParty(stack, party);
  return withLock(stack.layout.lock, 'party stop', async () => {
    const control = await requireMember(stack, party);
    const state = await stateOf(control, party);
    if (state === 'stopped') return { changed: false, forced: false };
    return { changed: true, forced: await control.service(party, 'stop') };
  });
}
