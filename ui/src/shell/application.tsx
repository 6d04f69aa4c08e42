import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { useEffect, useMemo, useState, useSyncExternalStore } from 'react';
import { createClient, refusal } from '../../../src/client/client.js';
import { ExplorerConfig } from '../../../src/wire/network/explorer.js';
import { readAs } from '../api/read-as.js';
import { type Explorer, ExplorerProvider } from '../api/explorer.js';
import { limitedTransport } from '../api/limited-transport.js';
import { Failure } from '../components/page/failure.js';
import { ShownErrorsProvider } from '../components/page/shown-errors.js';
import { createLive } from '../live/live.js';
import { pages } from '../pages.js';
import { basePath } from '../url/base.js';
import { createPlaces, type Places } from '../url/places.js';
import { Shell } from './shell.js';

/** The explorer: reads its configuration from the node, then shows its pages. */
export function Application() {
  const [config, setConfig] = useState<ExplorerConfig | undefined>(undefined);
  const [error, setError] = useState<unknown>(undefined);
  const [attempt, setAttempt] = useState(0);
  useEffect(() => {
    const leaving = new AbortController();
    setError(undefined);
    readConfig(leaving.signal).then(setConfig, (reason: unknown) => {
      if (!leaving.signal.aborted) setError(reason);
    });
    return () => leaving.abort();
  }, [attempt]);
  if (error !== undefined) return <Failure error={error} onRetry={() => setAttempt((count) => count + 1)} />;
  return config === undefined ? null : <Configured config={config} />;
}

async function readConfig(signal: AbortSignal): Promise<ExplorerConfig> {
  const client = createClient({ url: location.origin + basePath, transport: limitedTransport });
  const answer = await client.exchange({ method: 'GET', path: '/ui/_config', signal });
  if (answer.status !== 200) throw refusal(answer);
  return readAs(ExplorerConfig, answer.text);
}

function Configured({ config }: { readonly config: ExplorerConfig }) {
  const places = useMemo(
    () => createPlaces({ namespaces: config.namespaces, pages: pages.map(({ name }) => name) }),
    [config],
  );
  const { ns } = useSyncExternalStore(places.subscribe, places.current).place;
  return <Session key={ns} config={config} places={places} namespace={ns} />;
}

interface SessionProps {
  readonly config: ExplorerConfig;
  readonly places: Places;
  readonly namespace: string;
}

/** The state of one namespace. A change of the namespace creates a new session. */
function Session({ config, places, namespace }: SessionProps) {
  const [session, setSession] = useState<{ explorer: Explorer; queries: QueryClient } | undefined>(undefined);
  useEffect(() => {
    // A browser without a network still reaches a node on its own machine.
    const reads = { refetchOnWindowFocus: false, networkMode: 'always' } as const;
    const queries = new QueryClient({ defaultOptions: { queries: reads } });
    const client = createClient({ url: location.origin + basePath, namespace, transport: limitedTransport });
    const live = createLive(client, queries);
    setSession({ explorer: { config, client, live, places }, queries });
    return () => {
      live.stop();
      queries.clear();
    };
  }, [config, places, namespace]);
  if (session === undefined) return null;
  return (
    <QueryClientProvider client={session.queries}>
      <ExplorerProvider value={session.explorer}>
        <ShownErrorsProvider>
          <Shell />
        </ShownErrorsProvider>
      </ExplorerProvider>
    </QueryClientProvider>
  );
}
