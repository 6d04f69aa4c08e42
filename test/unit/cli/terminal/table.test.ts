import { describe, expect, it } from 'vitest';
import { messageColumns } from '../../../../src/cli/messages/listing/table.js';
import { ageColumn, type Column, printTable } from '../../../../src/cli/terminal/table.js';
import { widthOf } from '../../../../src/cli/terminal/width.js';
import type { Message } from '../../../../src/wire/messages/message.js';
import { messageRecord } from '../message-record.js';
import { memoryOutput } from '../memory-output.js';

const nowMs = Date.parse('2026-01-15T10:05:00.000Z');
const messages: Message[] = [
  messageRecord({ tag: 'new_order', topics: ['orders', 'bills', 'everything-else'], value: 'x'.repeat(300) }),
  messageRecord({ tag: '注文'.repeat(12), topics: ['受注管理システム'], value: '👍'.repeat(90) }),
];

async function printed<Row>(rows: readonly Row[], columns: readonly Column<Row>[], width: number): Promise<string[]> {
  const { output, out } = memoryOutput({ isTerminal: true, columns: width });
  await printTable(output, rows, columns, { hasHeaders: true });
  return out()
    .replaceAll(/\u001b\[\d+m/g, '')
    .trimEnd()
    .split('\n');
}

describe.each([40, 80, 120])('a table of messages on a terminal of %i columns', (width) => {
  it('fits, and keeps its columns aligned with any characters', async () => {
    const lines = await printed(messages, messageColumns(true, nowMs), width);
    expect(lines).toHaveLength(3);
    for (const line of lines) expect(widthOf(line)).toBeLessThanOrEqual(width);
    const [heading = '', ...rows] = lines;
    for (const column of ['id', 'author', 'state', 'age', 'data']) expect(heading.split(/ +/)).toContain(column);
    const at = heading.indexOf('state');
    for (const row of rows) expect(cellsBehind(row, at)).toMatch(/^confir/);
  });
});

it('a column of times is called age only on a terminal', async () => {
  const columns = [ageColumn<{ readonly at: string }>('created', ({ at }) => at, nowMs)];
  const rows = [{ at: '2026-01-15T10:00:00.000Z' }];
  expect(await printed(rows, columns, 80)).toEqual(['age', '5m']);
  const plain = memoryOutput();
  await printTable(plain.output, rows, columns, { hasHeaders: true });
  expect(plain.out()).toBe('created\n2026-01-15T10:00:00.000Z\n');
  for (const name of ['age', 'created']) {
    const chosen = memoryOutput();
    await printTable(chosen.output, rows, columns, { columns: name, hasHeaders: false });
    expect(chosen.out()).toBe('2026-01-15T10:00:00.000Z\n');
  }
});

/** Returns the text after this many cells of a line. */
function cellsBehind(line: string, cells: number): string {
  let position = 0;
  for (let width = 0; width < cells; position++) width = widthOf(line.slice(0, position + 1));
  return line.slice(position);
}
