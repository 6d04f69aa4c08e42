import { ServiceError } from '../../wire/errors/error.js';

/** A range of bytes from `start` up to, not including, `end`. */
export interface ByteRange {
  readonly start: number;
  readonly end: number;
}

/**
 * Parses the range of a `Range` header within `sizeBytes`; undefined if the whole content is to be sent: without a
 * header, for other units, several ranges or an unreadable header (RFC 9110, 14.2).
 *
 * @throws ServiceError range_not_satisfiable
 */
export function parseRange(header: string, sizeBytes: number): ByteRange | undefined {
  const found = /^bytes=(\d*)-(\d*)$/i.exec(header.trim());
  const [, first = '', last = ''] = found ?? [];
  if (first === '' && last === '') return undefined;
  const start = first === '' ? Math.max(0, sizeBytes - Number(last)) : Number(first);
  const end = first === '' || last === '' ? sizeBytes : Math.min(sizeBytes, Number(last) + 1);
  if (first !== '' && last !== '' && Number(last) < start) return undefined;
  if (start >= end) throw new ServiceError('range_not_satisfiable', { actual: header, size: sizeBytes });
  return { start, end };
}
