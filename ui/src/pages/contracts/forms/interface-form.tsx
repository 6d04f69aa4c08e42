import { useEffect, useState } from 'react';
import { ContractInterface } from '../../../../../src/wire/contract.js';
import { textOf, valueOf } from '../../../../../src/wire/json.js';
import { compact } from '../../../../../src/wire/json-reader.js';
import type { JsonText } from '../../../../../src/wire/scalar.js';
import { artifactsOf } from '../../../../../src/client/artifact.js';
import { ActionForm } from '../../../actions/action-form.js';
import { AreaField, CheckField, TextField } from '../../../actions/fields.js';
import { useAction } from '../../../actions/use-action.js';
import { useFields } from '../../../actions/use-fields.js';
import { useProblems } from '../../../actions/use-problems.js';
import { useExplorer } from '../../../api/explorer.js';
import { useRead } from '../../../api/read.js';
import { Failure } from '../../../components/failure.js';
import { FileField } from './file-field.js';
import { interfaceAction } from './requests.js';
import { useFileText } from './use-file-text.js';

const initial = { name: '', version: '1.0', abi: '', publish: 'yes' };
const settleMs = 300;

/** Defines an interface: the node makes it of an ABI, and the form keeps what the node has made. */
export function InterfaceForm({ onDone }: { readonly onDone: () => void }) {
  const { places } = useExplorer();
  const { values, set, reset } = useFields('contract interface', initial);
  const { file, problem, choose } = useFileText();
  const run = useAction(ContractInterface, 'interfaces');
  useEffect(() => {
    if (file === undefined) return;
    const found = abiOfFile(file.text);
    set('abi')(found?.abi ?? file.text);
    if (found !== undefined && values.name === '') set('name')(found.name ?? file.name.replace(/\.json$/i, ''));
    // It is about the file alone.
  }, [file, set]);
  const abi = abiOf(values.abi);
  const generated = useGenerated(values.name, values.version, abi);
  const problems = useProblems(values, {
    ...(values.name === '' && { name: 'Give it a name.' }),
    ...(values.version === '' && { version: 'Give it a version, such as 1.0.' }),
    ...(abi === undefined && { abi: 'Write the ABI as a JSON list, or choose a file.' }),
  });
  const body = generated.data?.text;
  const done = ({ id }: ContractInterface) => {
    reset();
    onDone();
    places.go({ page: 'contracts', id: undefined, filters: [], open: id });
  };
  return (
    <ActionForm
      action={
        problems.isComplete && body !== undefined && generated.isCurrent
          ? interfaceAction(body, values.publish === 'yes')
          : undefined
      }
      run={run}
      submit="Define interface"
      onDone={done}
      onTried={problems.tried}
    >
      <FileField
        label="Compiled contract or ABI"
        hint="JSON as Hardhat, Foundry or solc write it."
        error={problem}
        onChoose={(chosen) => void choose(chosen)}
      />
      <AreaField label="ABI" value={values.abi} onChange={set('abi')} error={problems.of('abi')} rows={4} />
      <TextField label="Name" value={values.name} onChange={set('name')} error={problems.of('name')} />
      <TextField label="Version" value={values.version} onChange={set('version')} error={problems.of('version')} />
      <CheckField
        label="All parties see it"
        isChecked={values.publish === 'yes'}
        onChange={(isChecked) => set('publish')(isChecked ? 'yes' : 'no')}
      />
      {generated.error !== null && (
        <Failure error={generated.error} request="POST contracts/interfaces/generate" onRetry={generated.retry} />
      )}
    </ActionForm>
  );
}

/** The interface that the node makes of an ABI, a moment after the last key; nothing is stored. */
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

function abiOf(text: string): JsonText | undefined {
  try {
    const abi = compact(text);
    return Array.isArray(valueOf(abi)) ? abi : undefined;
  } catch {
    return undefined;
  }
}

/** The ABI of a file that has one contract, or is an ABI itself. */
function abiOfFile(text: string): { readonly abi: string; readonly name: string | undefined } | undefined {
  const own = abiOf(text);
  if (own !== undefined) return { abi: own, name: undefined };
  try {
    const [first] = artifactsOf(text, '');
    if (first === undefined) return undefined;
    return { abi: textOf(first.abi), name: first.name === '' ? undefined : first.name };
  } catch {
    return undefined;
  }
}
