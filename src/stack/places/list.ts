import { connectControl } from '../control/control.js';
import { livingState } from '../control/living.js';
import type { Layout, Place } from '../layout.js';
import { locatedAs } from './locate.js';
import { readPorts } from '../ports/ports.js';
import { readRegistry } from './registry.js';
import { readStackFile } from '../definition/stack-file.js';
import { silentStateOf, type StackState, stateOf } from '../status.js';

export interface StackRow {
  readonly name: string;
  readonly state: StackState;
  /** Null if the definition cannot be read. */
  readonly parties: readonly string[] | null;
  /** Null before the first start, and if the system chooses the ports. */
  readonly portBase: number | null;
  readonly createdAt: string;
  readonly template: string;
  readonly dir: string;
}

/** Every stack of this user, by name. */
export async function listStacks(place: Place): Promise<StackRow[]> {
  const registry = Object.entries(await readRegistry(place)).sort(([a], [b]) => (a < b ? -1 : 1));
  return Promise.all(
    registry.map(async ([name, entry]) => {
      const { layout, definitionFile } = locatedAs(place, name, entry);
      const [state, ports, settings] = await Promise.all([
        readStackState(layout),
        readPorts(layout).catch(() => undefined),
        readStackFile(definitionFile).catch(() => undefined),
      ]);
      return {
        name,
        state,
        parties: settings?.parties.map((party) => party.name) ?? null,
        portBase: ports?.base ?? null,
        createdAt: entry.createdAt,
        template: entry.template,
        dir: entry.directory,
      };
    }),
  );
}

async function readStackState(layout: Layout): Promise<StackState> {
  const control = await connectControl(layout, { anyVersion: true });
  const status = await control?.status().catch(() => undefined);
  const last = status === undefined ? await livingState({ layout }) : undefined;
  return last === undefined ? stateOf(status) : silentStateOf(last);
}
