import { createContext, type ReactNode, use, useSyncExternalStore } from 'react';
import type { Client } from '../../../src/client/client.js';
import type { ExplorerConfig } from '../../../src/wire/network/explorer.js';
import type { Live } from '../live/live.js';
import type { LiveState } from '../live/live-state.js';
import type { Place } from '../url/place.js';
import type { Places } from '../url/places.js';

/** The parts that every page uses. */
export interface Explorer {
  readonly config: ExplorerConfig;
  /** Client of this node, for the selected namespace. */
  readonly client: Client;
  readonly live: Live;
  readonly places: Places;
}

const ExplorerContext = createContext<Explorer | undefined>(undefined);

export function ExplorerProvider({ value, children }: { readonly value: Explorer; readonly children: ReactNode }) {
  return <ExplorerContext value={value}>{children}</ExplorerContext>;
}

export function useExplorer(): Explorer {
  const explorer = use(ExplorerContext);
  if (explorer === undefined) throw new Error('useExplorer was called outside of ExplorerProvider.');
  return explorer;
}

export function usePlace(): Place {
  const { places } = useExplorer();
  return useSyncExternalStore(places.subscribe, places.current).place;
}

export function useConnection(): LiveState {
  const { live } = useExplorer();
  return useSyncExternalStore(live.subscribe, live.state);
}
