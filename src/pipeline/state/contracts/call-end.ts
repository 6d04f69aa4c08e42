import { assert } from '../../../domain/invariant.js';
import type { Clock } from '../../../ports/clock.js';
import type { Unit } from '../../../ports/database.js';
import type { Random } from '../../../ports/random.js';
import type { OperationRow } from '../../../ports/tables/tables.js';
import type { Bell } from '../../bus.js';
import { newEvent } from '../events/event-row.js';
import { cancelMessages, releaseMessages } from '../messages/staged.js';

const eventTypes = {
  blockchain_invoke: { succeeded: 'blockchain_invoke_op_succeeded', failed: 'blockchain_invoke_op_failed' },
  blockchain_deploy: {
    succeeded: 'blockchain_contract_deploy_op_succeeded',
    failed: 'blockchain_contract_deploy_op_failed',
  },
} as const;

/** Records the end of a user's call in its unit: the event, and the release or cancellation of its message. */
export async function endCall(
  { clock, random }: { readonly clock: Clock; readonly random: Random },
  unit: Unit,
  { id: reference, type, namespace, tx }: Pick<OperationRow, 'id' | 'type' | 'namespace' | 'tx'>,
  end: 'succeeded' | 'failed',
): Promise<readonly Bell[]> {
  assert(type === 'blockchain_invoke' || type === 'blockchain_deploy', 'a call of a user is one of the two');
  const now = clock.now();
  const txtype = type === 'blockchain_invoke' ? 'contract_invoke' : 'contract_deploy';
  const subject = { namespace, id: random.uuid(), type: eventTypes[type][end], reference, tx, txtype } as const;
  await unit.insert('events', [newEvent({ ...subject, created: now })]);
  const parent = { type: 'contract_invoke', id: tx } as const;
  const bells =
    end === 'succeeded'
      ? await releaseMessages(unit, parent, { namespace, now, random })
      : await cancelMessages(unit, parent, { namespace, now });
  return ['events', ...bells];
}
