import { useState } from 'react';
import { ActionDialog } from '../../../actions/action-form.js';
import { ApprovalForm } from './approval-form.js';
import { OperationForm } from './operation-form.js';
import { PoolForm } from './pool-form.js';

const titles = {
  pool: 'Create a pool',
  mint: 'Mint tokens',
  transfer: 'Transfer tokens',
  burn: 'Burn tokens',
  approve: 'Approve an operator',
} as const;
type Name = keyof typeof titles;

const labels: readonly (readonly [Name, string])[] = [
  ['pool', 'Create pool'],
  ['mint', 'Mint'],
  ['transfer', 'Transfer'],
  ['burn', 'Burn'],
  ['approve', 'Approve'],
];

interface Props {
  /** The name of the preselected pool. */
  readonly pool?: string;
  /** The actions to show; default: all. */
  readonly only?: readonly Name[];
}

export function TokenActions({ pool = '', only }: Props) {
  const [open, setOpen] = useState<Name | undefined>(undefined);
  const offered = labels.filter(([name]) => only === undefined || only.includes(name));
  return (
    <>
      {offered.map(([name, label]) => (
        <button key={name} type="button" className="button" onClick={() => setOpen(name)}>
          {label}
        </button>
      ))}
      <ActionDialog
        title={open === undefined ? '' : titles[open]}
        isOpen={open !== undefined}
        onClose={() => setOpen(undefined)}
      >
        {open === 'pool' && <PoolForm />}
        {open === 'approve' && <ApprovalForm pool={pool} />}
        {(open === 'mint' || open === 'transfer' || open === 'burn') && <OperationForm verb={open} pool={pool} />}
      </ActionDialog>
    </>
  );
}
