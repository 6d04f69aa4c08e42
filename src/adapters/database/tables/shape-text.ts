import type { Shape, Source } from '../../../ports/tables/shape.js';
import type { TableName } from '../../../ports/tables/tables.js';
import { textOf } from '../../../wire/json/json.js';
import type { JsonText } from '../../../wire/scalar.js';
import type { Columns } from '../statements/selection.js';

/** Returns a row in a shape: the same text as `textsStatement` makes SQLite return. */
export function shapedText<T extends TableName>(shape: Shape<T>, row: Columns): JsonText {
  return textOf(shaped(shape, row));
}

function shaped<T extends TableName>(shape: Shape<T>, row: Columns): object | null {
  const members = Object.entries(shape).map(([name, source]) => [name, valueIn(source, row)] as const);
  if (members[0]?.[1] === null) return null;
  return Object.fromEntries(members.filter(([, value]) => value !== null));
}

function valueIn<T extends TableName>(source: Source<T>, row: Columns): unknown {
  if (typeof source === 'string') return row[source];
  if (source.is === 'object') return shaped(source.of, row);
  const value = row[source.column];
  if (value === null) return null;
  switch (source.is) {
    case 'filled':
      return (value as readonly unknown[]).length === 0 ? null : value; // as the shape says
    case 'each':
      return (value as readonly object[]).map((each) => picked(each, source.members)); // as the shape says
    case 'behindSpace': {
      const text = value as string; // as the shape says
      return row[source.where] === source.word ? text.slice(text.indexOf(' ') + 1) : text;
    }
  }
}

function picked(object: object, members: readonly string[]): object {
  const known = new Map(Object.entries(object));
  return Object.fromEntries(members.map((member) => [member, known.get(member)]));
}
