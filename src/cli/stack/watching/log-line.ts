import { textOf, valueOf } from '../../../wire/json/json.js';
import { compact } from '../../../wire/json/json-reader.js';
import { ServiceError } from '../../../wire/errors/error.js';
import type { Channel, Style } from '../../terminal/output.js';
import { safe } from '../../terminal/text.js';

export interface LogEntry {
  readonly time: string;
  readonly level: string;
  readonly sentence: string;
  /** The remaining fields, as `key=value` separated by spaces. */
  readonly fields: string;
}

/** Parses a line of a log; undefined if it is not a record. */
export function readEntry(line: string): LogEntry | undefined {
  const record = recordOf(line);
  if (record === undefined) return undefined;
  const { time, level, msg, name: _, pid: _pid, hostname: _host, ...others } = record;
  const fields = Object.entries(others).map(([key, value]) => `${key}=${fieldText(value)}`);
  return { time: textOr(time), level: textOr(level), sentence: textOr(msg), fields: fields.join(' ') };
}

const levelStyles = new Map<string, Style>([
  ['warn', 'yellow'],
  ['error', 'red'],
]);

/** Formats a record as one escaped line. */
export function logLine(
  record: { readonly service: string; readonly line: string; readonly entry: LogEntry | undefined },
  prefixWidth: number,
  channel: Channel,
): string {
  const prefix = prefixWidth === 0 ? '' : `${channel.paint('cyan', record.service.padEnd(prefixWidth))} `;
  if (record.entry === undefined) return prefix + safe(record.line);
  const { time, level, sentence, fields } = record.entry;
  const style = levelStyles.get(level);
  const shown = safe(level.padEnd(5));
  const rest = fields === '' ? '' : ` ${channel.paint('dim', safe(fields))}`;
  const painted = style === undefined ? shown : channel.paint(style, shown);
  return `${channel.paint('dim', safe(time))} ${prefix}${painted} ${safe(sentence)}${rest}`;
}

function recordOf(line: string): Record<string, unknown> | undefined {
  try {
    const value = valueOf(compact(line));
    return value instanceof Object && !Array.isArray(value) ? { ...value } : undefined;
  } catch (error) {
    if (error instanceof ServiceError) return undefined;
    throw error;
  }
}

function textOr(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

/**
 * The text of a field: of an error, which is logged with its stack, the message; of other text the first line.
 */
function fieldText(value: unknown): string {
  if (typeof value === 'string') return value.replace(/\n.*$/s, ' …');
  const isError = value instanceof Object && 'stack' in value && 'message' in value;
  return isError ? String(value.message) : textOf(value);
}
