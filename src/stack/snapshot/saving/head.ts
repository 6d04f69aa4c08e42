import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import { isErrno } from '../../../supervisor/files/json-file.js';

export interface Head {
  readonly block: number;
  readonly hash: string;
}

const mined = /"do":"mine","number":(\d{1,15}),"time":\d+,"hash":"(0x[0-9a-f]{64})"/g;

/** The last block in a chain's journal; undefined without a block or a journal. */
export async function headOf(journal: string): Promise<Head | undefined> {
  let head: Head | undefined;
  try {
    for await (const line of createInterface({ input: createReadStream(journal), crlfDelay: Infinity })) {
      const last = [...line.matchAll(mined)].at(-1);
      if (last !== undefined && isIntact(line)) head = { block: Number(last[1]), hash: last[2] ?? '' };
    }
  } catch (error) {
    if (!isErrno(error, 'ENOENT')) throw error;
  }
  return head;
}

/** Whether a line matches its checksum: the last one may be truncated, and the chain then drops it. */
function isIntact(line: string): boolean {
  const [checksum = '', ...rest] = line.split(' ');
  return checksum !== '' && createHash('sha256').update(rest.join(' ')).digest('hex').startsWith(checksum);
}
