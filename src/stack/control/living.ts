import { readJsonFile } from '../../supervisor/files/json-file.js';
import { isAlive } from '../../supervisor/machine/identity.js';
import { type ServiceView, SupervisorStatus } from '../../supervisor/control/view.js';
import type { Layout } from '../layout.js';

/**
 * Reads the state of a supervisor; an unreadable file counts as none, since the socket and the locks of the data
 * directories still protect running processes.
 */
export async function readState(path: string): Promise<SupervisorStatus | undefined> {
  return readJsonFile(path, SupervisorStatus).catch(() => undefined);
}

/** The last state of a supervisor that lives, whether it answers or not. */
export async function livingState({ layout }: { readonly layout: Layout }): Promise<SupervisorStatus | undefined> {
  const state = await readState(layout.state);
  return state !== undefined && (await isAlive(state.identity)) ? state : undefined;
}

/** The last state of a supervisor that lives and does not answer, less what has ended since. */
export async function silentState(stack: { readonly layout: Layout }): Promise<SupervisorStatus | undefined> {
  const last = await livingState(stack);
  return last && { ...last, services: await Promise.all(last.services.map(asItIs)) };
}

async function asItIs(view: ServiceView): Promise<ServiceView> {
  // The process of a container is seen by its engine alone.
  if (view.pid === null || view.isContainer === true) return view;
  const lives = view.identity !== null && (await isAlive(view.identity));
  return lives ? view : { ...view, state: 'stopped', pid: null, identity: null };
}

/** A sentence about a stack whose supervisor lives and does not answer. */
export function silentText(stack: string): string {
  return `The supervisor of ${stack} runs and does not answer.`;
}

/** The next step then: the supervisor may be busy, or held. `program` is the typed name. */
export function silentHint(stack: string, program = 'stack'): string {
  return `Wait for it; or end it, with everything that it runs: ${program} stop ${stack}`;
}
