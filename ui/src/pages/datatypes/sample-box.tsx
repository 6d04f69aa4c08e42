import { useState } from 'react';
import type { Datatype } from '../../../../src/wire/data/datatype.js';
import { AreaField } from '../../actions/fields.js';
import { jsonProblem } from '../../actions/json-text.js';
import { Section } from '../../components/page/section.js';
import { useValidation } from '../compose/validation.js';
import { VerdictView } from '../compose/verdict-view.js';

/** Holds a value against a datatype while it is typed; nothing is stored. */
export function SampleBox({ datatype: { name, version } }: { readonly datatype: Datatype }) {
  const [text, setText] = useState('');
  const verdict = useValidation(text, name, version);
  const problem = text === '' ? undefined : jsonProblem(text);
  return (
    <Section title="Check a sample">
      <AreaField
        label="A value"
        hint="The node checks it. Nothing is stored or sent."
        placeholder='{"order":17}'
        value={text}
        onChange={setText}
        {...(problem !== undefined && { error: problem })}
      />
      <VerdictView verdict={verdict} />
    </Section>
  );
}
