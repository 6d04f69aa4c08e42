import { useState } from 'react';
import { ActionDialog } from '../../../actions/action-form.js';
import { ApiForm } from './api-form.js';
import { DeployForm } from './deploy-form.js';
import { InterfaceForm } from './interface-form.js';
import { ListenerForm } from './listener-form.js';

const titles = {
  deploy: 'Deploy a contract',
  interface: 'Define an interface',
  api: 'Create a contract API',
  listener: 'Listen for an event',
} as const;
type Name = keyof typeof titles;

const labels: readonly (readonly [Name, string])[] = [
  ['deploy', 'Deploy'],
  ['interface', 'Define interface'],
  ['api', 'Create API'],
  ['listener', 'Listen'],
];

interface Props {
  /** The actions to show; default: all. */
  readonly only?: readonly Name[];
  /** The preselected interface of a new API. */
  readonly interfaceId?: string;
}

export function ContractActions({ only, interfaceId = '' }: Props) {
  const [open, setOpen] = useState<Name | undefined>(undefined);
  const offered = labels.filter(([name]) => only === undefined || only.includes(name));
  const close = () => setOpen(undefined);
  return (
    <>
      {offered.map(([name, label]) => (
        <button key={name} type="button" className="button" onClick={() => setOpen(name)}>
          {label}
        </button>
      ))}
      <ActionDialog title={open === undefined ? '' : titles[open]} isOpen={open !== undefined} onClose={close}>
        {open === 'deploy' && <DeployForm />}
        {open === 'interface' && <InterfaceForm onDone={close} />}
        {open === 'api' && <ApiForm interfaceId={interfaceId} onDone={close} />}
        {open === 'listener' && <ListenerForm />}
      </ActionDialog>
    </>
  );
}
