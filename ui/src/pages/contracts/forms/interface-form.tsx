import { useEffect, useState } from 'react';
import { ContractInterface } from '../../../../../src/wire/contracts/contract.js';
import { textOf } from '../../../../../src/wire/json/json.js';
import type { JsonText } from '../../../../../src/wire/scalar.js';
import { ActionForm } from '../../../actions/action-form.js';
import { AreaField, CheckField, TextField } from '../../../actions/fields.js';
import { useAction } from '../../../actions/use-action.js';
import { useFields } from '../../../actions/use-fields.js';
import { useProblems } from '../../../actions/use-problems.js';
import { useExplorer } from '../../../api/explorer.js';
import { useRead } from '../../../api/read.js';
import { Failure } from '../../../components/page/failure.js';
import { FileField } from './file-field.js';
import { interfaceBody, sourceOf, textOfFile } from './interface-source.js';
import { interfaceAction } from './requests.js';
import { useFileText } from './use-file-text.js';

const initial = { name: '', version: '1.0', abi: '', publish: 'yes' };
const settleMs = 300;

/** The form that defines an interface, from an ABI that the node converts, or directly. */
export function InterfaceForm({ onDone }: { readonly onDone: () => void }) {
  const { places } = useExplorer();
  const { values, set, reset } = useFields('contract interface', initial);
  const { file, problem, choose } = useFileText();
  const run = useAction(ContractInterface, 'interfaces');
  useEffect(() => {
    if (file === undefined) return;
    const { text, name = '', version } = textOfFile(file.text);
    set('abi')(text);
    if (values.name === '') set('name')(name === '' ? file.name.replace(/\.json$/i, '') : name);
    if (version !== undefined) set('version')(version);
    // `values` is left out: only a new file fills the fields.
  }, [file, set]);
  const source = sourceOf(values.abi);
  const generated = useGenerated(values.name, values.version, source?.kind === 'abi' ? source.abi : undefined);
  const problems = useProblems(values, {
    ...(values.name === '' && { name: 'Enter a name.' }),
    ...(values.version === '' && { version: 'Enter a version, such as 1.0.' }),
    ...(source === undefined && { abi: 'Enter an ABI (a JSON list) or an interface (a JSON object with methods).' }),
  });
  const made = generated.isCurrent ? generated.data?.text : undefined;
  const body = source?.kind === 'interface' ? interfaceBody(source.members, values.name, values.version) : made;
  const done = ({ id }: ContractInterface) => {
    reset();
    onDone();
    places.go({ page: 'contracts', id: undefined, filters: [], open: id });
  };
  return (
    <ActionForm
      action={problems.isComplete && body !== undefined ? interfaceAction(body, values.publish === 'yes') : undefined}
      run={run}
      submit="Define interface"
      onDone={done}
      onTried={problems.tried}
    >
      <FileField
        label="Compiled contract or ABI"
        hint="JSON output of Hardhat, Foundry or solc, or an interface of FireFly."
        error={problem}
        onChoose={(chosen) => void choose(chosen)}
      />
      <AreaField
        label="ABI or interface"
        value={values.abi}
        onChange={set('abi')}
        error={problems.of('abi')}
        rows={4}
      />
      <TextField label="Name" value={values.name} onChange={set('name')} error={problems.of('name')} />
      <TextField label="Version" value={values.version} onChange={set('version')} error={problems.of('version')} />
      <CheckField
        label="Publish to all parties"
        isChecked={values.publish === 'yes'}
        onChange={(isChecked) => set('publish')(isChecked ? 'yes' : 'no')}
      />
      {generated.error !== null && <Failure error={generated.error} onRetry={generated.retry} />}
    </ActionForm>
  );
}

/** The interface that the node generates from an ABI, shortly after the last keystroke. Nothing is stored. */
function useGenerated(name: string, version: string, abi: JsonText | undefined) {
  const wanted = textOf([name, version, abi ?? '']);
  const [settled, setSettled] = useState({ name: '', version: '', abi, wanted: '' });
  useEffect(() => {
    const timer = setTimeout(() => setSettled({ name, version, abi, wanted }), settleMs);
    return () => clearTimeout(timer);
  }, [name, version, abi, wanted]);
  const isAsked = settled.name !== '' && settled.version !== '' && settled.abi !== undefined;
  const read = useRead(
    'generated interface',
    [settled.wanted],
    (client, signal) => {
      const input = { abi: settled.abi ?? textOf([]) };
      return client.generateContractInterface({
        body: { name: settled.name, version: settled.version, input },
        signal,
      });
    },
    { isEnabled: isAsked },
  );
  return { data: read.data, error: read.error, isCurrent: settled.wanted === wanted, retry: () => void read.refetch() };
}
