import type { ComponentType, ReactNode } from 'react';
import { usePlace } from '../../api/explorer.js';
import { Alone } from '../table/browse.js';
import { Views } from '../table/views.js';

/** One of several lists of a page. */
export interface Part {
  /** Its name in the URL. The first part is the default. */
  readonly id: string;
  readonly title: string;
  /** The list, with the navigation between the parts as its children. */
  readonly List: ComponentType<{ readonly children: ReactNode }>;
  readonly recordTitle: string;
  /** Renders a record that fills the page. */
  readonly record: (id: string) => ReactNode;
}

/** A page of several lists: `{page}` and `{page}/{part}` show a list, `{page}/{part}/{id}` a single record. */
export function Parts({ of }: { readonly of: readonly [Part, ...Part[]] }) {
  const { id = '' } = usePlace();
  const slash = id.indexOf('/');
  const name = slash < 0 ? id : id.slice(0, slash);
  const record = slash < 0 ? '' : id.slice(slash + 1);
  const part = of.find((each) => each.id === name) ?? of[0];
  if (record !== '')
    return (
      <Alone title={part.recordTitle}>
        <div key={record}>{part.record(record)}</div>
      </Alone>
    );
  const views = of.map((each, index) => ({ id: index === 0 ? undefined : each.id, title: each.title }));
  return (
    <part.List>
      <Views label="Parts of the page" of={views} />
    </part.List>
  );
}
