import { useState } from 'react';
import { JoinedLogs } from '../../../../src/wire/network/stack-view.js';
import { ChoiceField, TextField } from '../../actions/fields.js';
import { useJoined } from '../../api/use-joined.js';
import { Failure } from '../../components/page/failure.js';
import { Joined } from '../../components/record/joined.js';
import { Section } from '../../components/page/section.js';
import { Skeleton } from '../../components/page/skeleton.js';
import { Text } from '../../components/text/text.js';
import { linesWith } from './log-lines.js';
import styles from './network.module.css';
import type { ServiceState } from './service-state.js';

const pollMs = 2_000;

/** The last lines of a log, newest first. A node can read its own log, and those of chain and store. */
export function ServiceLog({ services }: { readonly services: readonly ServiceState[] }) {
  const readable = services.filter(({ kind, isThis = false }) => kind !== 'node' || isThis).map(({ name }) => name);
  const own = services.find(({ isThis = false }) => isThis)?.name;
  const [chosen, setChosen] = useState(own ?? readable[0] ?? '');
  const [filter, setFilter] = useState('');
  const logs = useJoined(JoinedLogs, 'stack', `logs?${new URLSearchParams({ service: chosen }).toString()}`, {
    isEnabled: chosen !== '',
    pollMs: () => pollMs,
  });
  const all = logs.data?.lines.map(({ line }) => line) ?? [];
  const lines = linesWith(all, filter);
  return (
    <Section title="Log">
      <Joined>
        <div className={styles.logFields}>
          <ChoiceField
            label="Process"
            value={chosen}
            onChange={setChosen}
            options={readable.map((name) => [name, name] as const)}
          />
          <TextField label="Filter lines" value={filter} onChange={setFilter} placeholder="error" />
        </div>
        {logs.isLoading && <Skeleton rows={4} />}
        {logs.error !== null && <Failure error={logs.error} onRetry={() => void logs.refetch()} />}
        {logs.data != null && (
          <p className="muted">
            {lines.length} of the last {all.length} lines, newest first. All lines: <code>stack logs {chosen}</code>
          </p>
        )}
        {lines.length > 0 && (
          <ol className={styles.log} tabIndex={0} aria-label={`Log of ${chosen}`}>
            {lines.map((line, index) => (
              <li key={`${index} ${line}`}>
                <Text value={line} />
              </li>
            ))}
          </ol>
        )}
      </Joined>
    </Section>
  );
}
