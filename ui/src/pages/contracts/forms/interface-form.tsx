import { useEffect, useMemo, useState } from 'react';
import { ContractInterface } from '../../../../../src/wire/contracts/contract.js';
import { textOf } from '../../../../../src/wire/json/json.js';
import type { JsonText } from '../../../../../src/wire/scalar.js';
import { ActionForm } from '../../../actions/action-form.js';
import { AreaField, CheckField, ChoiceField, TextField } from '../../../actions/fields.js';
import { useAction } from '../../../actions/use-action.js';
import { useFields } from '../../../actions/use-fields.js';
import { useProblems } from '../../../actions/use-problems.js';
import { useExplorer } from '../../../api/explorer.js';
import { useRead } from '../../../api/read.js';
import { Failure } from '../../../components/page/failure.js';
import { FileField } from './file-field.js';
import { contentsOf, type FileContent, interfaceBody, sourceOf } from './interface-source.js';
import { interfaceAction } from './requests.js';
import { useFileText } from './use-file-text.js';

const initial = { name: '', version: '1.0', abi: '', publish: 'yes' };
const settleMs = 300;

/** The form that defines an interface, from an ABI that the node converts, or directly. */
export function InterfaceForm({ onDone }: { readonly onDone: () => void }) {
  const { places } = useExplorer();
  const { values, set, reset } = useFields('contract interface', initial);
  const { contents, content, pick, problem, choose } = useContents(values, set);
  const run = useAction(ContractInterface, 'interfaces');
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
      {contents.length > 1 && (
        <ChoiceField
          label="Contract"
          value={content?.place ?? ''}
          onChange={pick}
          options={contents.map(({ place }) => [place, place] as const)}
        />
      )}
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

/** The contents of the selected file. A new file fills the fields with its first content, a choice with another. */
function useContents(values: typeof initial, set: (field: keyof typeof initial) => (value: string) => void) {
  const { file, problem, choose } = useFileText();
  const [content, setContent] = useState<FileContent | undefined>(undefined);
  const contents = useMemo(() => (file === undefined ? [] : contentsOf(file.text)), [file]);
  const fill = (next: FileContent, fallback: string) => {
    setContent(next);
    set('abi')(next.text);
    // A name that the user has entered is kept.
    if (values.name === '' || values.name === content?.name) set('name')(next.name ?? fallback);
    if (next.version !== undefined) set('version')(next.version);
  };
  useEffect(() => {
    const [first] = contents;
    if (first !== undefined) fill(first, file?.name.replace(/\.json$/i, '') ?? '');
    // `fill` is left out: only a new file fills the fields.
  }, [contents]);
  const pick = (place: string) => {
    const next = contents.find((each) => each.place === place);
    if (next !== undefined) fill(next, values.name);
  };
  return { contents, content, pick, problem, choose };
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
