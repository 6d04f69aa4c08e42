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

/** The last recorded state of a running supervisor, even if it does not answer. */
export async function livingState({ layout }: { readonly layout: Layout }): Promise<SupervisorStatus | undefined> {
  const state = await readState(layout.state);
  return state !== undefined && (await isAlive(state.identity)) ? state : undefined;
}

/** The last recorded state of a running supervisor; processes that have ended since are marked as stopped. */
export async function silentState(stack: { readonly layout: Layout }): Promise<SupervisorStatus | undefined> {
  const last = await livingState(stack);
  return last && { ...last, services: await Promise.all(last.services.map(withLife)) };
}

async function withLife(view: ServiceView): Promise<ServiceView> {
  // Only its engine knows whether a container runs.
  if (view.pid === null || view.isContainer === true) return view;
  const lives = view.identity !== null && (await isAlive(view.identity));
  return lives ? view : { ...view, state: 'stopped', pid: null, identity: null };
}

/** The message about a supervisor that is running but does not answer. */
export function silentText(stack: string): string {
  return `The supervisor of ${stack} is running but does not answer.`;
}

/** The hint for a supervisor that does not answer: it may be busy or paused. `program` is the typed command. */
export function silentHint(stack: string, program = 'stack'): string {
  return `Wait for it; or kill it with all its services: ${program} stop ${stack}`;
}
