import { useState } from 'react';
import { Datatype } from '../../../../src/wire/data/datatype.js';
import { ActionForm } from '../../actions/action-form.js';
import { AreaField, TextField } from '../../actions/fields.js';
import { useAction } from '../../actions/use-action.js';
import { useFields } from '../../actions/use-fields.js';
import { useProblems } from '../../actions/use-problems.js';
import { useExplorer } from '../../api/explorer.js';
import { defineAction, judgeDefinition } from './define-action.js';
import { DefinitionResult } from './definition-result.js';

const initial = { name: '', version: '', schema: '' };

export function DefineForm({ onClose }: { readonly onClose: () => void }) {
  const { places, live } = useExplorer();
  const { values, set, reset } = useFields('define datatype', initial);
  const run = useAction(Datatype, 'datatypes');
  const [made, setMade] = useState<Datatype | undefined>(undefined);
  const { of, tried, forget } = useProblems(values, judgeDefinition(values));
  if (made !== undefined) {
    const open = () => {
      live.touch('datatypes');
      onClose();
      places.go({ open: made.id });
    };
    return <DefinitionResult datatype={made} onOpen={open} onAgain={() => setMade(undefined)} />;
  }
  const done = (datatype: Datatype) => {
    setMade(datatype);
    reset();
    forget();
  };
  return (
    <ActionForm action={defineAction(values)} run={run} submit="Define" onDone={done} onTried={tried}>
      <TextField label="Name" value={values.name} onChange={set('name')} error={of('name')} hasFocus />
      <TextField
        label="Version"
        hint="A version cannot be changed. A new schema needs a new version."
        placeholder="1.0"
        value={values.version}
        onChange={set('version')}
        error={of('version')}
      />
      <AreaField
        label="Schema"
        hint="A JSON schema of draft-07, 2019-09 or 2020-12."
        rows={8}
        placeholder='{"type":"object","required":["order"],"properties":{"order":{"type":"integer"}}}'
        value={values.schema}
        onChange={set('schema')}
        error={of('schema')}
      />
    </ActionForm>
  );
}
