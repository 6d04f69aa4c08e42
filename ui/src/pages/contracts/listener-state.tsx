import type { ContractListener } from '../../../../src/wire/contracts/contract.js';
import { useRead } from '../../api/read.js';
import { Tone } from '../../components/record/state.js';

/** The polling interval of a listener that reads its history. No event reports that it has caught up. */
const stepMs = 1_000;

/** The state of a listener: `joining` while it reads its history, then `following`. */
export function ListenerState({ listener }: { readonly listener: Pick<ContractListener, 'id' | 'state'> }) {
  return listener.state === 'following' ? <Following /> : <Joining id={listener.id} />;
}

function Following() {
  return <Tone tone="confirmed" icon="check" word="following" />;
}

function Joining({ id }: { readonly id: string }) {
  const found = useRead(
    'listeners',
    ['one', id],
    (client, signal) => client.getContractListener({ path: { nameorid: id }, signal }),
    { pollMs: (answer) => (answer?.value.state === 'following' ? undefined : stepMs) },
  );
  if (found.data?.value.state === 'following') return <Following />;
  return <Tone tone="waiting" icon="waiting" word="joining" />;
}
