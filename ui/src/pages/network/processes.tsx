import { useState } from 'react';
import { sizeText } from '../../components/text/size-text.js';
import { SmallTable } from '../../components/table/small-table.js';
import { Tone } from '../../components/record/state.js';
import type { IconName } from '../../components/icon.js';
import { Text } from '../../components/text/text.js';
import { Time } from '../../components/text/time.js';
import { PauseDialog } from './pause-dialog.js';
import type { ServiceState } from './service-state.js';

interface Props {
  readonly services: readonly ServiceState[];
  /** Called after a process was paused or resumed. */
  readonly onChange: () => void;
}

const looks: Readonly<Record<string, { readonly icon: IconName; readonly tone: string }>> = {
  healthy: { icon: 'check', tone: 'confirmed' },
  paused: { icon: 'pause', tone: 'waiting' },
  unhealthy: { icon: 'warning', tone: 'blocked' },
  failed: { icon: 'cross', tone: 'rejected' },
  stopped: { icon: 'cancelled', tone: 'muted' },
};
const changing = { icon: 'waiting', tone: 'waiting' } as const;

/** The processes of a stack, with buttons to pause all but the node that serves this page. */
export function Processes({ services, onChange }: Props) {
  const [asked, setAsked] = useState<ServiceState | undefined>(undefined);
  return (
    <>
      <SmallTable
        label="Processes"
        rows={services}
        keyOf={({ name }) => name}
        columns={[
          {
            title: 'Process',
            isWhole: true,
            render: ({ name, isThis }) => <Name name={name} isThis={isThis === true} />,
          },
          { title: 'Kind', isWhole: true, from: 520, render: ({ kind }) => kind },
          { title: 'State', render: ({ state }) => <Tone {...(looks[state] ?? changing)} word={state} /> },
          { title: 'Restarts', isNumber: true, from: 440, render: ({ restarts }) => restarts },
          {
            title: 'Memory',
            isNumber: true,
            from: 520,
            render: ({ memoryBytes }) => (memoryBytes === undefined ? '' : sizeText(memoryBytes)),
          },
          {
            title: 'Started',
            isNumber: true,
            from: 600,
            render: ({ startedAt }) => (startedAt === undefined ? '' : <Time iso={startedAt} />),
          },
          { title: 'Last exit', from: 680, render: ({ message }) => <Text value={message ?? ''} /> },
          { title: 'Action', isNumber: true, render: (service) => <PauseButton service={service} onAsk={setAsked} /> },
        ]}
      />
      <PauseDialog service={asked} onClose={() => setAsked(undefined)} onDone={onChange} />
    </>
  );
}

function Name({ name, isThis }: { readonly name: string; readonly isThis: boolean }) {
  return (
    <>
      <Text value={name} /> {isThis && <span className="muted">this node</span>}
    </>
  );
}

interface ButtonProps {
  readonly service: ServiceState;
  readonly onAsk: (service: ServiceState) => void;
}

function PauseButton({ service, onAsk }: ButtonProps) {
  const { name, state, isThis = false } = service;
  if (isThis)
    return (
      <span className="muted" title="A paused node cannot resume itself: pause it from another party's explorer.">
        not available
      </span>
    );
  if (state !== 'paused' && state !== 'healthy' && state !== 'unhealthy') return null;
  const verb = state === 'paused' ? 'Resume' : 'Pause';
  return (
    <button type="button" className="button" aria-label={`${verb} ${name}`} onClick={() => onAsk(service)}>
      {verb}
    </button>
  );
}
