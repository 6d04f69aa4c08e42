import { useState } from 'react';
import { readPage } from '../../../../src/client/page.js';
import { indentJson } from '../../../../src/wire/json/json-indent.js';
import type { Datatype } from '../../../../src/wire/data/datatype.js';
import { ChoiceField } from '../../actions/fields.js';
import { useRead } from '../../api/read.js';
import { Failure } from '../../components/page/failure.js';
import { Json } from '../../components/text/json.js';
import { Section } from '../../components/page/section.js';
import { Text } from '../../components/text/text.js';
import styles from './datatypes.module.css';
import { diffLines, type DiffRow } from './line-diff.js';

const maxVersions = 1_000;

/** The schema, optionally compared with that of another version. */
export function Versions({ datatype }: { readonly datatype: Datatype }) {
  const { name, version, value } = datatype;
  const [chosen, setChosen] = useState<string | undefined>(undefined);
  const all = useRead('datatypes', ['versions', name], (client, signal) =>
    readPage(
      client,
      'listDatatypes',
      [
        ['name', `=${name}`],
        ['limit', String(maxVersions)],
      ],
      signal,
    ),
  );
  const others = (all.data?.entries ?? []).map((entry) => entry.value).filter((each) => each.id !== datatype.id);
  const before = others.find(({ created = '' }) => created < (datatype.created ?? '')) ?? others[0];
  const other = chosen === undefined ? before : others.find(({ id }) => id === chosen);
  return (
    <Section title="Schema">
      {all.error !== null && <Failure error={all.error} onRetry={() => void all.refetch()} />}
      {others.length > 0 && (
        <ChoiceField
          label="Compare with version"
          value={other?.id ?? ''}
          onChange={setChosen}
          options={[['', 'None'], ...others.map((each) => [each.id, each.version] as const)]}
        />
      )}
      {other === undefined ? (
        <Json text={value} what="the schema" />
      ) : (
        <Sides left={other} right={{ ...datatype, version }} />
      )}
    </Section>
  );
}

function Sides({ left, right }: { readonly left: Datatype; readonly right: Datatype }) {
  const rows = diffLines(indentJson(left.value), indentJson(right.value));
  const changes = rows.filter(({ isSame }) => !isSame).length;
  return (
    <>
      <p className="muted">
        {changes === 0 ? 'Both schemas are the same.' : `${changes} of ${rows.length} lines differ.`}
      </p>
      <div className={styles.sides} role="region" aria-label="Versions side by side" tabIndex={0}>
        <table className={styles.diff}>
          <thead>
            <tr>
              <th scope="col">
                <Text value={left.version} />
              </th>
              <th scope="col">
                <Text value={right.version} />
              </th>
            </tr>
          </thead>
          <tbody>
            {rows.map((row, index) => (
              <Row key={index} row={row} />
            ))}
          </tbody>
        </table>
      </div>
    </>
  );
}

/** A row of the comparison. Changed lines are marked by a sign as well as by colour. */
function Row({ row: { left, right, isSame } }: { readonly row: DiffRow }) {
  return (
    <tr data-same={isSame}>
      <td data-side={left === undefined ? 'none' : 'left'}>
        {left !== undefined && <Text value={`${isSame ? '  ' : '− '}${left}`} />}
      </td>
      <td data-side={right === undefined ? 'none' : 'right'}>
        {right !== undefined && <Text value={`${isSame ? '  ' : '+ '}${right}`} />}
      </td>
    </tr>
  );
}
