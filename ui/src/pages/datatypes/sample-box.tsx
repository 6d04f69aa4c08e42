import { useState } from 'react';
import type { Datatype } from '../../../../src/wire/data/datatype.js';
import { AreaField } from '../../actions/fields.js';
import { jsonProblem } from '../../actions/json-text.js';
import { Section } from '../../components/page/section.js';
import { useValidation } from '../compose/validation.js';
import { ValidationView } from '../compose/validation-view.js';

/** A field that validates a value against the datatype while typing. */
export function SampleBox({ datatype: { name, version } }: { readonly datatype: Datatype }) {
  const [text, setText] = useState('');
  const validation = useValidation(text, name, version);
  const problem = text === '' ? undefined : jsonProblem(text);
  return (
    <Section title="Validate a value">
      <AreaField
        label="Value"
        hint="The node checks it. Nothing is stored or sent."
        placeholder='{"order":17}'
        value={text}
        onChange={setText}
        {...(problem !== undefined && { error: problem })}
      />
      <ValidationView state={validation} />
    </Section>
  );
}
