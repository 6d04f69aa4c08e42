import type { Data } from '../../wire/data/data.js';
import type { Collection } from '../requests/list.js';
import { recordText } from '../requests/record-text.js';
import { ageColumn } from '../terminal/table.js';
import { safe, shortId, sizeOf } from '../terminal/text.js';

export function dataCollection(nowMs: number): Collection<'listData'> {
  return {
    route: 'listData',
    noun: 'data',
    keys: { id: ({ id }) => id, field: 'created', key: ({ created }) => created },
    columns: [
      { name: 'id', text: ({ id }, isTerminal) => (isTerminal ? shortId(id) : id) },
      ageColumn('created', ({ created }) => created, nowMs),
      { name: 'datatype', spare: 1, text: (data) => safe(datatypeText(data) ?? '') },
      { name: 'file', text: ({ blob }) => safe(blob?.name ?? '') },
      { name: 'size', text: ({ blob }, isTerminal) => sizeText(blob, isTerminal) },
      { name: 'value', text: ({ value }) => (value === 'null' ? '' : safe(value)) },
    ],
  };
}

export function dataText(data: Data): string {
  const { blob } = data;
  return recordText([
    ['id', data.id],
    ['created', data.created],
    ['namespace', data.namespace],
    ['validator', data.validator],
    ['datatype', datatypeText(data)],
    ['hash', data.hash],
    ['public', data.public],
    ['file', blob?.name],
    ['path', blob?.path],
    ['size', blob === undefined ? undefined : `${sizeOf(blob.size)} (${blob.size} bytes)`],
    ['sha256', blob?.hash],
    ['reference', blob?.public],
    ['value', data.value],
  ]);
}

function datatypeText({ datatype }: Data): string | undefined {
  return datatype === undefined ? undefined : `${datatype.name}@${datatype.version}`;
}

function sizeText(blob: Data['blob'], isTerminal: boolean): string {
  if (blob === undefined) return '';
  return isTerminal ? sizeOf(blob.size) : String(blob.size);
}
