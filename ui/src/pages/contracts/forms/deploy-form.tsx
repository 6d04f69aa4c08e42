import { useMemo, useState } from 'react';
import {
  type Artifact,
  artifactsOf,
  constructorOf,
  isLinked,
  isPayable,
  placeOf,
} from '../../../../../src/client/artifact.js';
import { Operation } from '../../../../../src/wire/chain/transaction.js';
import { ActionForm } from '../../../actions/action-form.js';
import { ActionResult } from '../../../actions/action-result.js';
import { ChoiceField, TextField } from '../../../actions/fields.js';
import { More } from '../../../actions/more.js';
import { SigningFields } from '../../../actions/signing-fields.js';
import { useAction } from '../../../actions/use-action.js';
import { useFields } from '../../../actions/use-fields.js';
import { useRead } from '../../../api/read.js';
import { Id } from '../../../components/record/id.js';
import { readEntries } from '../entries.js';
import { parametersOfArtifact } from '../parameters.js';
import { deployedAt } from './deployed.js';
import { FileField } from './file-field.js';
import { ParameterFields } from './parameter-fields.js';
import { deployAction } from './requests.js';
import { type FileText, useFileText } from './use-file-text.js';

const initial = { contract: '', value: '', key: '', idempotencyKey: '' };
const noArguments: Readonly<Record<string, string>> = {};

/** The form that deploys a compiled contract, with a field for each argument of the constructor. */
export function DeployForm() {
  const form = useDeployment();
  const [made, setMade] = useState<Operation | undefined>(undefined);
  const run = useAction(Operation, 'operations');
  const { values, set, choose, artifacts, artifact, fileProblem, valueProblem, parameters } = form;
  if (made !== undefined) return <Deployed operation={made} onAgain={() => setMade(undefined)} />;
  return (
    <ActionForm action={form.action} run={run} submit="Deploy" onDone={setMade} onTried={form.tried}>
      <FileField
        label="Compiled contract"
        hint="JSON output of Hardhat, Foundry or solc."
        error={fileProblem}
        onChoose={(chosen) => void choose(chosen)}
      />
      {artifacts.length > 1 && artifact !== undefined && (
        <ChoiceField
          label="Contract"
          value={placeOf(artifact)}
          onChange={set('contract')}
          options={artifacts.map((each) => [placeOf(each), placeOf(each)] as const)}
        />
      )}
      {artifact !== undefined && (
        <p className="muted">
          {parameters.length === 0
            ? `The constructor of ${artifact.name} has no arguments.`
            : `Arguments of the constructor of ${artifact.name}:`}
        </p>
      )}
      <ParameterFields
        parameters={parameters}
        entered={form.entered}
        onChange={(field, value) => form.setArgument(field)(value)}
        isTried={form.isTried}
      />
      {artifact !== undefined && isPayable(artifact) && (
        <TextField
          label="Value"
          value={values.value}
          onChange={set('value')}
          error={valueProblem}
          hint="The amount of wei to send. Default: none."
        />
      )}
      <More>
        <SigningFields values={values} set={set} />
      </More>
    </ActionForm>
  );
}

/** The state of the form, with the request; undefined while the form is incomplete. */
function useDeployment() {
  const { values, set } = useFields('contract deploy', initial);
  const { values: entered, set: setArgument } = useFields<string>('contract deploy arguments', noArguments);
  const { file, problem, choose } = useFileText();
  const [isTried, setTried] = useState(false);
  const { artifacts, trouble } = useMemo(() => readFile(file), [file]);
  const artifact = artifacts.find((each) => placeOf(each) === values.contract) ?? artifacts[0];
  const parameters = artifact === undefined ? [] : parametersOfArtifact(constructorOf(artifact));
  const input = readEntries(parameters, entered)?.list;
  const value = artifact !== undefined && isPayable(artifact) ? values.value : '';
  const valueProblem = value === '' || /^\d{1,78}$/.test(value) ? undefined : 'Enter an amount of wei: digits only.';
  const unlinked =
    artifact === undefined || isLinked(artifact) ? undefined : 'The contract has unlinked libraries: link them first.';
  const missing = isTried && file === undefined ? 'Select a file.' : undefined;
  const isReady = unlinked === undefined && valueProblem === undefined;
  const action =
    isReady && artifact !== undefined && input !== undefined && file !== undefined
      ? deployAction({ ...values, ...artifact, value, input, file: file.name })
      : undefined;
  return {
    values,
    set,
    entered,
    setArgument,
    choose,
    artifacts,
    artifact,
    parameters,
    fileProblem: problem ?? trouble ?? unlinked ?? missing,
    valueProblem,
    action,
    isTried,
    tried: () => setTried(true),
  };
}

function readFile(file: FileText | undefined): { readonly artifacts: readonly Artifact[]; readonly trouble?: string } {
  if (file === undefined) return { artifacts: [] };
  try {
    const artifacts = artifactsOf(file.text, file.name.replace(/\.json$/i, ''));
    return artifacts.length > 0
      ? { artifacts }
      : { artifacts, trouble: 'The file has no compiled contract with abi and bytecode.' };
  } catch {
    return { artifacts: [], trouble: 'The file is not JSON: select the output of the compiler.' };
  }
}

interface DeployedProps {
  readonly operation: Operation;
  readonly onAgain: () => void;
}

function Deployed({ operation, onAgain }: DeployedProps) {
  const { id, tx } = operation;
  const found = useRead('operations', ['one', id], (client, signal) =>
    client.getOperation({ path: { operationid: id }, signal }),
  );
  const address = deployedAt(found.data?.value ?? operation);
  return (
    <>
      {address !== undefined && (
        <p>
          Contract address: <Id id={address} what="the address" isWhole />
        </p>
      )}
      <ActionResult transaction={tx} again="Deploy another" onAgain={onAgain} />
    </>
  );
}
